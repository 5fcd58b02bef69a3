import {
  JUDGE_DEFAULTS,
  lentJudge,
  namesTarget,
  type JudgeChoice,
  type JudgeSettings,
} from '../../core/judge.ts';
import { textOf } from '../../core/message.ts';
import type { ModelChoice } from '../../core/model.ts';
import { costOf } from '../../core/price.ts';
import { activeCases } from '../../engine/plan.ts';
import type { TestCase } from '../../core/test-case.ts';
import { addUsage, usageOf, type Usage } from '../../core/usage.ts';
import { round9 } from '../../lib/text/decimals.ts';
import { simulatorPrompt } from '../../users/simulator-prompt.ts';
import { chooseJudge } from '../binding/choose-judge.ts';
import { lentModel } from '../binding/lent-model.ts';
import { redactorFor } from '../binding/redactor.ts';
import { type ExpectedTalk, expectedTalk, resentTokens } from './estimate-talk.ts';
import type { BoundRun } from '../binding/bind.ts';
import { boundModels } from '../binding/bound-models.ts';
import { ceilingOf, settingsIn } from '../binding/trial-settings.ts';

/** Estimated cost of a plan, from its texts and from typical lengths of answers. */
export interface CostEstimate {
  /** US dollars; null if a part is unknown. */
  readonly usd: number | null;
  /** The parts with a known price. */
  readonly parts: readonly { readonly name: string; readonly usd: number }[];
  /** Reasons why a part is unknown. */
  readonly unknown: readonly string[];
}

/** Typical tokens of an answer, and of a judge's prompt without the material. */
const ANSWER_TOKENS = 300;
const RULES_TOKENS = 600;
/** Typical tokens of one message of a simulated user. */
const LINE_TOKENS = 80;

export async function estimateCost(bound: BoundRun): Promise<CostEstimate> {
  const asked = new Map<string, Asked>();
  const unknown = new Set<string>();
  const { plan, user, judges } = bound;
  const settingsFor = settingsIn(bound);
  const gathering: Gathering = { bound, settingsFor, asked, unknown };
  for (const { planned, testCase } of activeCases(plan)) {
    const { targets, repeat, digests } = planned;
    for (const target of targets) {
      const { maxTurns } = settingsFor(testCase, target).limits;
      const talk = expectedTalk(testCase, user, maxTurns);
      const work = { testCase, times: repeat, talk };
      askTarget({ name: target, ...work }, gathering);
      askUser({ target, ...work }, gathering);
      for (const named of digests.judges ?? []) {
        const choice = chooseJudge(judges.names, named ?? undefined, target);
        if (choice !== undefined) askJudge(choice, work, gathering);
      }
      for (const model of digests.models ?? []) askEmbeddings(model, work, gathering);
    }
  }
  const door = boundModels(bound, redactorFor(bound.secrets));
  const parts: { name: string; usd: number }[] = [];
  for (const [name, { model, usage }] of asked) {
    const price = await door.priceOf(model);
    if (price === null) unknown.add(`no price is known for ${model.model}`);
    else parts.push({ name, usd: round9(costOf(usage, price)) });
  }
  const usd = unknown.size > 0 ? null : round9(parts.reduce((sum, part) => sum + part.usd, 0));
  return { usd, parts, unknown: [...unknown] };
}

/** `about $0.12 (bot $0.1, judge local/x $0.02)`. */
export function estimateText({ usd, parts, unknown }: CostEstimate): string {
  const known = parts.map((part) => `${part.name} ${dollarsText(part.usd)}`).join(', ');
  if (usd !== null) return parts.length === 0 ? '$0' : `about ${dollarsText(usd)} (${known})`;
  return `unknown (${[...unknown, ...(known === '' ? [] : [`known part: about ${known}`])].join('; ')})`;
}

interface Asked {
  readonly model: JudgeSettings;
  usage: Usage;
}

interface Gathering {
  readonly bound: BoundRun;
  readonly settingsFor: ReturnType<typeof settingsIn>;
  /** By shown name. */
  readonly asked: Map<string, Asked>;
  readonly unknown: Set<string>;
}

interface Work {
  readonly testCase: TestCase;
  readonly times: number;
  readonly talk: ExpectedTalk;
}

/** Adds the model that plays the user, and the one that audits its messages. */
function askUser(
  { target, testCase, times, talk }: Work & { readonly target: string },
  gathering: Gathering,
): void {
  const { user: choice, judges } = gathering.bound;
  if (talk.userCalls === 0 || choice?.type !== 'simulated' || testCase.user?.type !== 'simulated') return;
  const prompt = tokensIn(simulatorPrompt(testCase.user)) + questionTokens(testCase);
  const heard = resentTokens(talk.userCalls, ANSWER_TOKENS + LINE_TOKENS) + talk.userCalls * ANSWER_TOKENS;
  const inputTokens = talk.userCalls * prompt + heard;
  const { choice: model } = choice;
  const spends = { inputTokens, outputTokens: talk.userCalls * LINE_TOKENS, times };
  count(gathering.asked, { name: `user ${model.model}`, model }, spends);
  if (!choice.auditJudge || choice.audit === 'off') return;
  const judge = chooseJudge(judges.names, undefined, target);
  if (judge === undefined) return;
  const audited = { testCase, times: times * talk.userCalls, talk };
  askJudge(judge, audited, gathering);
}

function askTarget(
  { name, testCase, times, talk }: Work & { readonly name: string },
  { bound, settingsFor, asked, unknown }: Gathering,
): void {
  const used = bound.use.targets.get(name);
  if (used === undefined || used.plugin.isFree === true) return;
  const model = lentModel(used);
  if (model === undefined) {
    if (ceilingOf(used, settingsFor(testCase, name).limits) !== 0) {
      unknown.add(`the target "${name}" reports its cost only at the end`);
    }
    return;
  }
  const system = used.settings.config['system'];
  const first = tokensIn(typeof system === 'string' ? system : '') + questionTokens(testCase);
  const inputTokens = talk.turns * first + resentTokens(talk.turns, ANSWER_TOKENS + LINE_TOKENS);
  const outputTokens = talk.turns * Math.min(ANSWER_TOKENS, model.maxOutputTokens ?? ANSWER_TOKENS);
  count(asked, { name, model }, { inputTokens, outputTokens, times });
}

function askJudge(choice: JudgeChoice, work: Work, { bound, asked, unknown }: Gathering): void {
  const lent = namesTarget(choice) ? lentJudge(choice) : undefined;
  const used = lent && bound.judges.use.targets.get(lent.target);
  const model = namesTarget(choice) ? used && lentModel(used, lent) : choice;
  const name = `judge ${namesTarget(choice) ? lent?.target : choice.model}`;
  if (model === undefined) {
    if (used?.plugin.isFree !== true) unknown.add(`the ${name} reports its cost only at the end`);
    return;
  }
  const { criteria = '', expectedOutput = [] } = work.testCase;
  const material = criteria + expectedOutput.map(({ parts }) => textOf(parts)).join('');
  const { turns } = work.talk;
  const said = turns * ANSWER_TOKENS + (turns - 1) * LINE_TOKENS;
  const inputTokens = RULES_TOKENS + said + tokensIn(material) + questionTokens(work.testCase);
  const outputTokens = Math.min(ANSWER_TOKENS, model.maxOutputTokens ?? ANSWER_TOKENS);
  const times = work.times * (model.samples ?? JUDGE_DEFAULTS.samples);
  count(asked, { name, model }, { inputTokens, outputTokens, times });
}

/** Adds the embeddings of an answer and of the text that it is compared with. */
function askEmbeddings(model: ModelChoice, { testCase, times, talk }: Work, { asked }: Gathering): void {
  const compared = (testCase.expectedOutput ?? []).map(({ parts }) => textOf(parts)).join('');
  const inputTokens = talk.turns * ANSWER_TOKENS + tokensIn(compared);
  count(asked, { name: `embeddings ${model.model}`, model }, { inputTokens, outputTokens: 0, times });
}

function count(
  asked: Map<string, Asked>,
  { name, model }: { readonly name: string; readonly model: JudgeSettings },
  { inputTokens, outputTokens, times }: Readonly<Record<'inputTokens' | 'outputTokens' | 'times', number>>,
): void {
  const usage = usageOf(inputTokens * times, outputTokens * times);
  const before = asked.get(name);
  asked.set(name, { model, usage: addUsage(before?.usage, usage) });
}

function questionTokens({ input }: TestCase): number {
  return tokensIn(input.map(({ parts }) => textOf(parts)).join('\n'));
}

/** Estimated tokens: about four characters per token. */
function tokensIn(text: string): number {
  return Math.ceil(text.length / 4);
}

function dollarsText(usd: number): string {
  return `$${Number(usd.toPrecision(2))}`;
}

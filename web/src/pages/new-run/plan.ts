import { costText } from '../../../../src/reading/phrases.ts';
import { CONFIGURED_JUDGE, judgeOf, type AskedJudge } from '../../parts/asked-judge.ts';
import type { Told } from '../../session/refusal-texts.ts';
import { numberOf } from '../../parts/number-of.ts';
import type { KnownTargets } from './use-known-targets.ts';
import { withoutModels } from './without-models.ts';

/** What a run would do, as `assay run --dry --json` prints it. */
export interface Plan {
  readonly trials: number;
  readonly seed: number;
  /** What a start would be refused for. */
  readonly problems: readonly Told[];
  /** What may be unwanted, but keeps nothing from starting. */
  readonly warnings: readonly Told[];
  /** What counts as passing, for groups of cases; those of the most cases first. */
  readonly passing: readonly PassingGroup[];
  /** Number of cases without an expected outcome or another expectation. */
  readonly expectingNothing: number;
  /** Number of cases whose expected outcomes are not judged. */
  readonly leavingOutcomes: number;
  readonly cases: readonly {
    readonly suite?: string;
    readonly id: string;
    readonly targets: readonly string[];
    readonly repeat: number;
    readonly skip?: { readonly kind: string; readonly reason?: string };
  }[];
  readonly estimate: {
    readonly usd: number | null;
    readonly parts: readonly { readonly name: string; readonly usd: number }[];
    readonly unknown: readonly string[];
  };
}

export interface PassingGroup {
  /** As sentences; all must hold. */
  readonly conditions: readonly string[];
  readonly cases: number;
}

export function usdText(usd: number): string {
  return costText({ knownUsd: usd, known: 1, unknown: 0 });
}

/** An agent of the store; an empty version is its newest. An empty id: none is chosen. */
export interface AskedAgent {
  readonly id: string;
  readonly version: string;
}

export const NO_AGENT: AskedAgent = { id: '', version: '' };

/** What is asked for in the form; empty texts are left to the config. */
export interface Asked {
  readonly name: string;
  readonly line: string;
  /** One a line. */
  readonly tags: string;
  readonly note: string;
  readonly targets: readonly string[];
  readonly agents: readonly AskedAgent[];
  readonly repetitions: string;
  readonly seed: string;
  readonly concurrency: string;
  readonly budget: string;
  readonly unknownCost: boolean;
  /** Model of the simulated user. */
  readonly userModel: string;
  readonly judge: AskedJudge;
  /** Whether only the first answer is checked, for a text; then the models do not count. */
  readonly isWithoutModels: boolean;
  /** That the answer must contain, without models. */
  readonly answerText: string;
  /** Whether it is compared with the baseline of its target and line. */
  readonly baseline: boolean;
}

export const NOTHING_ASKED: Asked = {
  name: '',
  line: '',
  tags: '',
  note: '',
  targets: [],
  agents: [],
  repetitions: '',
  seed: '',
  concurrency: '',
  budget: '',
  unknownCost: false,
  userModel: '',
  judge: CONFIGURED_JUDGE,
  isWithoutModels: false,
  answerText: '',
  baseline: false,
};

/** Whether something is asked for that a first run does not need. `known` tells which fields stand apart. */
export function isMoreAsked(asked: Asked, { hasUser, hasJudge }: KnownTargets['models']): boolean {
  // A run that is planned again always has a seed.
  const texts = [
    asked.name,
    asked.line,
    asked.concurrency,
    asked.budget,
    hasUser ? asked.userModel : '',
    asked.tags,
    asked.note,
  ];
  return (
    asked.unknownCost ||
    asked.baseline ||
    judgeOf(hasJudge ? asked.judge : { ...asked.judge, model: '' }) !== undefined ||
    texts.some((text) => text.trim() !== '')
  );
}

/** What is chosen without being asked: the default target of the config, else the only agent. */
export function firstChoice({ ofConfig, stored }: Pick<KnownTargets, 'ofConfig' | 'stored'>): Partial<Asked> {
  const targets = ofConfig.flatMap(({ name, isDefault }) => (isDefault ? [name] : []));
  if (targets.length > 0) return { targets };
  const [agent, ...others] = stored;
  if (agent === undefined || others.length + ofConfig.length > 0) return {};
  return { agents: [{ id: agent.id, version: '' }] };
}

/** Whether the run has something to test, chosen or as the default of the config. */
export function isTargetChosen(
  { targets, agents }: Asked,
  { ofConfig }: Pick<KnownTargets, 'ofConfig'>,
): boolean {
  return (
    targets.length > 0 || agents.some(({ id }) => id !== '') || ofConfig.some(({ isDefault }) => isDefault)
  );
}

/** The body of `POST /runs`. A text instead of a number is sent unchanged: the server says what is wrong with it. */
export function bodyOf(asked: Asked, select: object): Readonly<Record<string, unknown>> {
  const { targets, unknownCost, baseline } = asked;
  const agents = asked.agents.filter(({ id }) => id !== '');
  const tags = asked.tags
    .split('\n')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return {
    select,
    ...textIn('name', asked.name),
    ...textIn('line', asked.line),
    ...(tags.length === 0 ? {} : { tags }),
    ...textIn('note', asked.note),
    ...(targets.length === 0 ? {} : { targets }),
    ...(agents.length === 0
      ? {}
      : { agents: agents.map(({ id, version }) => ({ id, ...numberIn('version', version) })) }),
    ...numberIn('repetitions', asked.repetitions),
    ...numberIn('seed', asked.seed),
    ...numberIn('concurrency', asked.concurrency),
    ...numberIn('budget_usd', asked.budget),
    ...(unknownCost ? { allow_unknown_cost: true } : {}),
    ...(asked.isWithoutModels ? withoutModels(asked.answerText) : modelsOf(asked)),
    ...(baseline ? { baseline: true } : {}),
  };
}

function modelsOf({ userModel, judge: named }: Asked): object {
  const judge = judgeOf(named);
  return {
    ...(userModel.trim() === '' ? {} : { user: { model: userModel.trim() } }),
    ...(judge === undefined ? {} : { judge }),
  };
}

function textIn(key: string, text: string): object {
  return text.trim() === '' ? {} : { [key]: text.trim() };
}

function numberIn(key: string, text: string): object {
  return text.trim() === '' ? {} : { [key]: numberOf(text) };
}

import * as z from 'zod';

import type { Finding, Grader, Subject } from '../core/grade.ts';
import type { CapturedAgent, GraderPlugin, GraderServices } from '../core/plugin.ts';
import { given } from '../lib/given.ts';
import { isObject, type JsonObject } from '../lib/json.ts';
import { remembering } from '../lib/text/remembering.ts';
import { withoutTools, type WeighedMetric } from './conversation/choose-metrics.ts';
import { conversationFindings } from './conversation/findings.ts';
import { matchCalls } from './conversation/match-calls.ts';
import { overrideMetric } from './conversation/metrics.ts';
import { conversationPrompt } from './conversation/prompt.ts';
import { taskMaterial, taskText } from './conversation/task.ts';
import { expectedCalls, madeCalls } from './expected-tool-calls.ts';
import { promptDigestOf, promptOf, systemText } from './judge/question.ts';
import { sampled } from './judge/samples.ts';
import { weightKey } from '../core/verdict.ts';

const metric = z.lazy(() =>
  z.strictObject({
    id: z.string().min(1),
    displayName: z.string().optional(),
    tier: z.string(),
    kind: z.enum(['scored', 'binary']),
    rubric: z.string(),
    weight: weightKey(),
    defaultWeight: weightKey().optional(),
  }),
);

const config = z.lazy(() =>
  z.strictObject({
    metrics: z.array(metric).describe('The metrics to score; the sum of their weights is 1.'),
    criterion: z.string().optional().describe('Criterion that replaces the metrics.'),
    outcomes: z
      .custom<JsonObject>(isObject)
      .default({})
      .describe('Labels and descriptions of outcomes; if one is missing, the trial fails.'),
    calls: expectedCalls
      .unwrap()
      .nullable()
      .default(null)
      .describe('Expected tool calls, shown to the judge.'),
  }),
);

type Config = z.infer<typeof config>;

/** One judge call that scores a whole conversation. */
export const conversationJudge: GraderPlugin<Config> = {
  type: 'conversation_judge',
  version: 1,
  summary: 'A language model scores a conversation by metrics and decides its outcomes.',
  config,
  asksJudge: ({ metrics, criterion, outcomes }) =>
    metrics.length > 0 || criterion !== undefined || Object.keys(outcomes).length > 0,
  demands: ({ metrics, criterion, outcomes }) => ({
    ...(Object.keys(outcomes).length === 0
      ? {}
      : { always: 'the judge finds that each expected outcome holds' }),
    ...given({ scored: scoredBy({ metrics, criterion }) }),
  }),
  prompts: ({ metrics, criterion = null, outcomes }) =>
    promptsOver(metrics)(askedFor(criterion, Object.keys(outcomes))),
  create: (settings, services): Grader => ({
    grade: async (subject, signal) => {
      const agent = services.agentOf?.(subject) ?? {};
      const metrics = metricsFor(settings, { subject, agent });
      const labels = Object.keys(settings.outcomes);
      if (metrics.length === 0 && labels.length === 0) return [NOTHING_ASKED];
      return await judgedBy({ settings, metrics, agent }, { subject, services }, signal);
    },
  }),
};

function scoredBy({ metrics, criterion }: Pick<Config, 'metrics' | 'criterion'>): string | undefined {
  if (criterion !== undefined) return 'the score that the judge gives by the criteria of the case';
  if (metrics.length === 0) return undefined;
  return `the scores that the judge gives for ${metrics.map(({ displayName, id }) => displayName ?? id).join(', ')}`;
}

/** The system prompt of the judge before a conversation. What a program finds about tool calls comes with it. */
export function judgePromptOf(written: unknown): string {
  const { outcomes, ...asked } = config.parse(written);
  const metrics = metricsInForce(asked);
  const { form } = conversationPrompt(metrics, Object.keys(outcomes));
  const task = taskText({ metrics, outcomes, calls: undefined, agent: CAPTURED });
  return systemText({ task, form }, NONCE);
}

const CAPTURED: CapturedAgent = { prompt: '', tools: [] };

/** Each call of a judge has its own. */
const NONCE = '(a new text for each call)';

type Prompts = readonly ReturnType<typeof promptOf>[];

/** All cases of a run have the same metrics, and most have the same labels of outcomes, or none. */
const promptsKnown = new WeakMap<Config['metrics'], (asked: string) => Prompts>();

function promptsOver(metrics: Config['metrics']): (asked: string) => Prompts {
  const known = promptsKnown.get(metrics);
  if (known !== undefined) return known;
  const made = remembering(REMEMBERED, (asked): Prompts => {
    const [criterion, outcomes] = JSON.parse(asked) as [string | null, string[]];
    const inForce = metricsInForce({ metrics, ...given({ criterion: criterion ?? undefined }) });
    const all = [inForce, ...(criterion === null ? [withoutTools(inForce)] : [])];
    return all.map((each) => {
      const { template, form } = conversationPrompt(each, outcomes);
      return promptOf(template, form.words);
    });
  });
  promptsKnown.set(metrics, made);
  return made;
}

/** Most cases ask for the metrics alone. */
function askedFor(criterion: string | null, labels: readonly string[]): string {
  return criterion === null && labels.length === 0 ? METRICS_ALONE : JSON.stringify([criterion, labels]);
}

const METRICS_ALONE = JSON.stringify([null, []]);

const REMEMBERED = 64;

const NOTHING_ASKED: Finding = {
  score: null,
  weight: 0,
  reason: 'the judge was not asked, because the agent has no tools and all metrics are about tools',
};

/** Metrics about tools are skipped for an agent without tools, unless tool calls are expected. */
function metricsFor(
  settings: Config,
  { subject, agent }: { readonly subject: Subject; readonly agent: CapturedAgent },
): readonly WeighedMetric[] {
  const known = metricsInForce(settings);
  const hasNoTools = agent.tools?.length === 0 && (settings.calls ?? []).length === 0;
  const isAskedAll = settings.criterion !== undefined || !hasNoTools || madeCalls(subject).length > 0;
  return isAskedAll ? known : withoutTools(known);
}

function metricsInForce({
  metrics,
  criterion,
}: Pick<Config, 'metrics' | 'criterion'>): readonly WeighedMetric[] {
  if (criterion !== undefined) return [{ ...overrideMetric(criterion), weight: 1 }];
  return metrics.map(({ defaultWeight, displayName, ...rest }) => ({
    ...rest,
    ...given({ displayName, defaultWeight }),
  }));
}

interface Judging {
  readonly settings: Config;
  readonly metrics: readonly WeighedMetric[];
  readonly agent: CapturedAgent;
}

async function judgedBy(
  { settings, metrics, agent }: Judging,
  { subject, services }: { readonly subject: Subject; readonly services: GraderServices },
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { outcomes, calls } = settings;
  const judge = services.judgeFor(undefined, subject.target);
  const { form, template } = conversationPrompt(metrics, Object.keys(outcomes));
  const found = calls === null ? undefined : matchCalls(calls, madeCalls(subject));
  const promptDigest = promptDigestOf(template, form.words);
  const asked = await sampled(
    {
      task: taskText({ metrics, outcomes, calls: found, agent }),
      material: taskMaterial(subject, agent),
      form,
      promptDigest,
    },
    {
      judge,
      redact: services.redact,
      overflow: 'refused',
      signal,
      ...given({ repetition: subject.repetition }),
    },
    judge.samples,
  );
  return conversationFindings({ metrics, outcomes, sampled: asked, judge, promptDigest, subject });
}

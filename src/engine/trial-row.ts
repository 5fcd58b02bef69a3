import { IMPOSSIBLE_PASSED, type AttemptRow, type Row } from '../core/run.ts';
import { sumOfMissed } from '../core/missed-connections.ts';
import { finalAnswer, isAnswer } from '../core/transcript.ts';
import { addUsage, type Usage } from '../core/usage.ts';
import { statusOf } from '../core/verdict.ts';
import { given } from '../lib/given.ts';
import type { Attempt } from './attempt-scene.ts';
import type { AttemptOutcome } from './attempt.ts';
import { regradedRow } from './past-session.ts';
import { judgeUsage, spendingOf } from './judge-spending.ts';
import type { TrialContext, PlannedTrial, TrialSettings } from './trial-context.ts';

/** The outcomes of a trial by attempt. */
export interface Tries {
  readonly outcome: AttemptOutcome;
  /** Outcomes of all attempts of this process, including the last. */
  readonly outcomes: readonly AttemptOutcome[];
  readonly attempts: readonly AttemptRow[];
  readonly startedAt: number;
}

/** The row of an executed trial. */
export function rowOf(
  trialOf: Pick<Attempt, 'trial' | 'testCase' | 'settings' | 'context'>,
  tries: Tries,
): Row {
  const { trial, testCase, settings, context } = trialOf;
  const { conversation, decision, grades } = tries.outcome;
  const { transcript } = conversation;
  const agent = spentIn(tries.outcomes);
  const isExpected = testCase.expectedFail === true && tries.outcome.isUnexpected !== true;
  const seen = statusOf(decision.verdict, isExpected);
  const others = spendingOf([
    ...tries.outcomes.flatMap((each) => each.conversation.modelUses),
    ...judgeUsage(grades),
  ]);
  const row: Row = {
    number: trial.number,
    suite: trial.suite,
    caseId: trial.caseId,
    target: trial.target,
    repetition: trial.repetition,
    attempts: tries.attempts,
    verdict: decision.verdict,
    status: seen.status,
    passed: seen.passed,
    score: decision.score,
    threshold: settings.threshold,
    fallenGates: decision.fallenGates,
    grades,
    output: transcript.some(isAnswer) ? finalAnswer(transcript) : null,
    durationMs: tries.attempts.reduce((sum, attempt) => sum + attempt.durationMs, 0),
    turns: conversation.turns,
    steps: conversation.steps,
    usage: agent.usage === undefined ? others.usage : { agent: agent.usage, ...others.usage },
    costUsd: { ...agentCost(agent, tries.outcomes, settings), ...others.costUsd },
    tags: testCase.tags,
    digests: trial.digests,
    startedAt: new Date(tries.startedAt).toISOString(),
    endedAt: new Date(context.now()).toISOString(),
    ...whereThereIs(trialOf, tries),
  };
  const { past } = conversation;
  return past === undefined ? row : regradedRow(past.row, row, notesOf(tries.outcomes));
}

/** The rare members of a row. Placed last, because a spread in between makes rows slow. */
function whereThereIs(
  { trial, testCase, settings, context }: Pick<Attempt, 'trial' | 'testCase' | 'settings' | 'context'>,
  { outcome, outcomes }: Tries,
): Partial<Row> {
  const { conversation, decision, limit, artifactDir, workspacePath } = outcome;
  const { cached, end, latency, flags } = conversation;
  const rest: { -readonly [Key in keyof Row]?: Row[Key] } = {};
  if (testCase.difficulty !== undefined) rest.difficulty = testCase.difficulty;
  const caseName = shownName(testCase);
  if (caseName !== undefined) rest.caseName = caseName;
  if (decision.overall !== undefined) rest.overall = decision.overall;
  if (cached !== undefined) rest.cached = cached;
  // What was measured of a kept answer belongs to the run that asked the agent.
  else if (latency.length > 0) rest.latency = latency;
  if (end !== undefined && limit === undefined) rest.end = end;
  if (limit !== undefined) rest.limit = limit;
  if (outcome.failureClass !== undefined) rest.failureClass = outcome.failureClass;
  if (decision.error !== undefined) rest.error = decision.error;
  if (decision.ungraded > 0) rest.ungraded = decision.ungraded;
  const isCheat = testCase.impossible !== undefined && decision.verdict === 'passed';
  if (isCheat || flags.length > 0) rest.flags = isCheat ? [...flags, IMPOSSIBLE_PASSED] : flags;
  if (artifactDir !== undefined) rest.artifactDir = artifactDir;
  if (workspacePath !== undefined) rest.workspacePath = workspacePath;
  const isHermetic = context.isHermetic?.(trial.target);
  if (isHermetic !== undefined) rest.hermetic = isHermetic;
  const isolation = context.isolationOf?.(trial.target);
  if (isolation !== undefined) rest.isolation = isolation;
  const network = sumOfMissed(outcomes.map((each) => each.conversation.missed));
  if (Object.keys(network).length > 0) rest.network = network;
  const unenforced = [...unwatched(settings, outcome), ...outcome.unenforced];
  if (unenforced.length > 0) rest.unenforced = unenforced;
  const ofAttempts = notesOf(outcomes);
  const notes = testCase.notes === undefined ? ofAttempts : [...testCase.notes, ...ofAttempts];
  if (notes.length > 0) rest.notes = notes;
  return rest;
}

/** Cost and usage of the agent. Undefined if nothing was reported. */
interface AgentSpending {
  readonly usage: Usage | undefined;
  readonly costUsd: number | null | undefined;
}

/** Cost of the agent in all attempts, including failed ones. */
function spentIn(outcomes: readonly AttemptOutcome[]): AgentSpending {
  let usage: Usage | undefined;
  let costUsd: number | null | undefined;
  for (const { conversation } of outcomes) {
    if (conversation.cached !== undefined) continue;
    if (conversation.usage !== undefined) usage = addUsage(usage, conversation.usage);
    const spent = conversation.costUsd;
    if (spent === undefined) continue;
    costUsd = spent === null || costUsd === null ? null : (costUsd ?? 0) + spent;
  }
  return { usage, costUsd };
}

/** If the agent ran and reported no cost, its cost is unknown unless it is free. */
function agentCost(
  { costUsd }: AgentSpending,
  outcomes: readonly AttemptOutcome[],
  { isPaid = false }: TrialSettings,
): Row['costUsd'] {
  if (costUsd !== undefined) return { agent: costUsd };
  return isPaid && outcomes.some(({ conversation: { cached, turns } }) => cached === undefined && turns > 0)
    ? { agent: null }
    : {};
}

/** Only stored cases have a difficulty. */
function shownName({ id, name, difficulty }: Attempt['testCase']): string | undefined {
  return difficulty === undefined || name === id ? undefined : name;
}

/** The distinct notes of all attempts. */
function notesOf(outcomes: readonly AttemptOutcome[]): readonly string[] {
  if (outcomes.every(({ conversation, notes }) => conversation.notes.length + notes.length === 0)) return [];
  return [...new Set(outcomes.flatMap(({ conversation, notes }) => [...conversation.notes, ...notes]))];
}

/** Notes on token and cost limits that could not be enforced, because the agent reported no usage. */
function unwatched(settings: TrialSettings, outcome: AttemptOutcome): string[] {
  const { usage, hasUnknownTokens, costUsd } = outcome.conversation;
  const names: string[] = [];
  if (settings.limits.maxTokens !== null && (usage === undefined || hasUnknownTokens))
    names.push('maxTokens');
  if (settings.limits.maxCostUsd !== null && (costUsd === undefined || costUsd === null))
    names.push('maxCostUsd');
  return names;
}

/** The row of a trial that ends without being measured. `end`: what is known of it. */
export function unmeasuredRow(
  trial: PlannedTrial,
  context: TrialContext,
  end: Pick<Row, 'verdict'> & Partial<Row>,
): Row {
  const testCase = context.caseOf(trial);
  const at = new Date(context.now()).toISOString();
  return {
    number: trial.number,
    suite: trial.suite,
    caseId: trial.caseId,
    target: trial.target,
    repetition: trial.repetition,
    attempts: [],
    passed: false,
    score: null,
    threshold: context.settingsFor(testCase, trial.target).threshold,
    fallenGates: [],
    grades: [],
    output: null,
    durationMs: 0,
    turns: 0,
    steps: 0,
    usage: {},
    costUsd: {},
    tags: testCase.tags,
    digests: trial.digests,
    startedAt: at,
    endedAt: at,
    ...given({ difficulty: testCase.difficulty, caseName: shownName(testCase) }),
    status: end.verdict,
    ...end,
  };
}

/** Writes the end of a trial to the log. */
export async function settleTrial(
  row: Row,
  { key: trial, attempt }: Pick<PlannedTrial, 'key'> & { readonly attempt?: number },
  { settle }: Pick<TrialContext, 'settle'>,
): Promise<Row> {
  await settle({ at: row.endedAt, trial, ...given({ attempt }), fact: { type: 'trial-end', row } });
  return row;
}

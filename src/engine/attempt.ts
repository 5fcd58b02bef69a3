import { errorRecord, MeasurementError, type ErrorRecord, type LimitMet } from '../core/errors.ts';
import type { Grade, Subject } from '../core/grade.ts';
import type { Session, Target, World } from '../core/target.ts';
import type { TestCase } from '../core/test-case.ts';
import { finalAnswer } from '../core/transcript.ts';
import { openingOf } from '../core/user.ts';
import { decide, type Decision } from '../core/verdict.ts';
import type { Workspace } from '../core/workspace.ts';
import { converse, newConversation, type Conversation } from './converse.ts';
import { gradeTrial } from './grade-trial.ts';
import { judgeUsage } from './judge-spending.ts';
import type { AttemptArtifacts, ModelUse, Parts, PlannedTrial, TrialSettings } from './parts.ts';
import { unlessAborted } from './unless-aborted.ts';
import { startWatch, type Watch } from './watch.ts';

export interface Attempt {
  readonly trial: PlannedTrial;
  readonly testCase: TestCase;
  readonly settings: TrialSettings;
  readonly number: number;
  readonly parts: Parts;
  readonly signal: AbortSignal;
}

/** What one try of a trial came to. */
export interface AttemptOutcome {
  readonly conversation: Conversation;
  /** What users and their auditors spent; graders tell of theirs on their grades. */
  readonly modelUses: readonly ModelUse[];
  readonly grades: readonly Grade[];
  readonly decision: Decision;
  /** What was thrown, to see whether the attempt may be repeated. */
  readonly thrown?: unknown;
  readonly limit?: LimitMet;
  readonly notes: readonly string[];
  readonly artifactDir?: string;
  readonly workspacePath?: string;
  readonly durationMs: number;
}

/** One try of a trial: workspace, session, grades, verdict, and everything put away again. Never rejects. */
export async function runAttempt(attempt: Attempt): Promise<AttemptOutcome> {
  const { trial, testCase, parts, signal } = attempt;
  const startedAt = performance.now();
  const artifacts = parts.artifacts(trial, attempt.number);
  const world = worldOf(attempt, artifacts);
  const conversation = newConversation();
  const modelUses: ModelUse[] = [];
  const spent = (use: ModelUse) => {
    modelUses.push(use);
    tell(attempt, use);
  };
  let limit: LimitMet | undefined;
  let workspace: Workspace | undefined;
  let grades: readonly Grade[] = [];
  let decision: Decision;
  let thrown: unknown;
  let blamed: keyof typeof BLAME = 'workspace';
  try {
    workspace = await parts.workspaces.prepare(testCase, world, signal);
    blamed = 'target';
    const scene = { world: withWorkspace(world, workspace), conversation, spent };
    limit = await orLimit(attempt, hold(attempt, scene));
    blamed = 'workspace';
    await workspace?.seal(signal);
    blamed = 'grading';
    const grading = { graderFor: parts.graderFor, digests: trial.graders, signal };
    grades = await gradeTrial(subjectOf(attempt, conversation, workspace), grading);
    for (const fact of judgeUsage(grades)) tell(attempt, fact);
    for (const grade of grades) tell(attempt, { type: 'grade', grade });
    decision = decide(grades, attempt.settings.threshold);
  } catch (error) {
    thrown = firstOf(error);
    limit = limitOf(thrown);
    decision = undecided(errorRecord(thrown, { stage: blamed, kind: BLAME[blamed] }));
  }
  const released = await workspace?.release(signal.aborted ? 'cancelled' : decision.verdict);
  const artifactDir = artifacts.close();
  return {
    conversation,
    modelUses,
    grades,
    decision,
    thrown,
    notes: released?.warnings ?? [],
    durationMs: Math.round(performance.now() - startedAt),
    ...(limit === undefined ? {} : { limit }),
    ...(artifactDir === undefined ? {} : { artifactDir }),
    ...(released?.keptAt === undefined ? {} : { workspacePath: released.keptAt }),
  };
}

/** What an error that says nothing of itself is laid to, by stage. */
const BLAME = { workspace: 'workspace-setup', target: 'runner-crash', grading: 'grader' } as const;

/** Where the run says so, a met ceiling is the end, and gives what was met. */
async function orLimit({ settings }: Attempt, held: Promise<void>): Promise<LimitMet | undefined> {
  try {
    await held;
    return undefined;
  } catch (error) {
    const limit = limitOf(firstOf(error));
    if (settings.onLimit !== 'grade' || limit === undefined) throw error;
    return limit;
  }
}

function limitOf(error: unknown): LimitMet | undefined {
  return error instanceof MeasurementError ? error.limit : undefined;
}

interface Stage {
  readonly world: World;
  readonly conversation: Conversation;
  readonly spent: (use: ModelUse) => void;
}

/** Opens the session, lets both sides speak, and ends the session and its processes whatever happened. */
async function hold(attempt: Attempt, { world, conversation, spent }: Stage): Promise<void> {
  const { trial, testCase, settings, parts, signal } = attempt;
  const target = await unlessAborted(parts.target(trial.target, signal), signal);
  const watch = startWatch(settings.limits);
  const abandon = () => watch.abort(signal.reason);
  signal.addEventListener('abort', abandon);
  if (signal.aborted) abandon();
  try {
    watch.asking('target');
    const heard: World = { ...world, pulse: watch.pulse, hold: watch.hold };
    await using session = await openSession(target, heard, watch);
    const talk = {
      session,
      user: parts.userFor(testCase, {
        target: trial.target,
        repetition: trial.repetition,
        artifacts: world.artifacts,
        spent,
      }),
      watch,
      limits: settings.limits,
      price: settings.price,
      now: parts.now,
      record: (entry: Conversation['transcript'][number]) =>
        tell(attempt, { type: 'transcript-entry', entry }),
    };
    return await converse(talk, conversation);
  } finally {
    signal.removeEventListener('abort', abandon);
    watch.stop();
  }
}

/** A session that opens after its time is ended as soon as it is there. */
async function openSession(target: Target, world: World, watch: Watch): Promise<Session> {
  const opening = target.open(world, watch.signal);
  try {
    return await watch.bounded(opening);
  } catch (error) {
    opening.then((late) => late[Symbol.asyncDispose]()).catch(() => {});
    throw error;
  }
}

/** The error that came first: one of putting things away does not hide it. */
function firstOf(error: unknown): unknown {
  let first = error;
  while (first instanceof Error && 'suppressed' in first) first = first.suppressed;
  return first;
}

function tell(attempt: Attempt, fact: Parameters<Parts['emit']>[0]['fact']): void {
  const at = new Date(attempt.parts.now()).toISOString();
  attempt.parts.emit({ at, trial: attempt.trial.key, attempt: attempt.number, fact });
}

function worldOf(attempt: Attempt, artifacts: AttemptArtifacts): World {
  const { trial, testCase, parts } = attempt;
  return {
    trial: {
      runId: parts.runId,
      key: trial.key,
      attempt: attempt.number,
      suite: trial.suite,
      caseId: trial.caseId,
      target: trial.target,
      repetition: trial.repetition,
      seed: parts.seed,
    },
    history: openingOf(testCase).history,
    artifacts,
    marker: parts.marker(),
    pulse: () => {},
  };
}

function withWorkspace(world: World, workspace: Workspace | undefined): World {
  return workspace === undefined ? world : { ...world, workspace: { directory: workspace.directory } };
}

function subjectOf(attempt: Attempt, conversation: Conversation, workspace: Workspace | undefined): Subject {
  const { turns, steps, usage, costUsd, transcript, latency } = conversation;
  return {
    case: attempt.testCase,
    target: attempt.trial.target,
    runId: attempt.parts.runId,
    repetition: attempt.trial.repetition,
    transcript,
    answer: finalAnswer(transcript),
    measures: {
      durationMs: latency.reduce((sum, ms) => sum + ms, 0),
      latency,
      turns,
      steps,
      costUsd: costUsd ?? null,
      ...(usage === undefined ? {} : { usage }),
    },
    ...(workspace === undefined ? {} : { workspace }),
  };
}

function undecided(error: ErrorRecord): Decision {
  return { verdict: 'errored', score: null, fallenGates: [], ungraded: 0, error };
}

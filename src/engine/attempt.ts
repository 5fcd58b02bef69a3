import {
  BudgetSpent,
  errorRecord,
  MeasurementError,
  messageOf,
  type ErrorRecord,
  type LimitMet,
} from '../core/errors.ts';
import type { Grade, Subject } from '../core/grade.ts';
import type { Fact, Row } from '../core/run.ts';
import type { SessionState, World } from '../core/target.ts';
import type { TestCase } from '../core/test-case.ts';
import { openingOf } from '../core/user.ts';
import { decide, type Decision, type Verdict } from '../core/verdict.ts';
import type { Workspace } from '../core/workspace.ts';
import { subjectOf } from './attempt-subject.ts';
import { converse, newConversation, type Conversation } from './converse.ts';
import { gradeTrial } from './grade-trial.ts';
import { judgeUsage } from './judge-spending.ts';
import type {
  AttemptArtifacts,
  ConcludedAttempt,
  EndedAttempt,
  Parts,
  PlannedTrial,
  TrialSettings,
} from './parts.ts';
import { openSession } from './open-session.ts';
import { isTransient } from './retry.ts';
import { withCeilingSetAside } from './set-aside.ts';
import { offered, throughTools } from './tool-session.ts';
import { unlessAborted } from './unless-aborted.ts';
import { startWatch } from './watch.ts';

export interface Attempt {
  readonly trial: PlannedTrial;
  readonly testCase: TestCase;
  readonly settings: TrialSettings;
  readonly number: number;
  /** An attempt that fails for a passing reason is made again. */
  readonly mayRepeat: boolean;
  readonly parts: Parts;
  readonly signal: AbortSignal;
}

/** What one try of a trial came to. */
export interface AttemptOutcome {
  readonly conversation: Conversation;
  readonly grades: readonly Grade[];
  readonly decision: Decision;
  readonly failureClass?: NonNullable<Row['failureClass']>;
  readonly isUnexpected?: true;
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
  // Again once there is a workspace: waiting for a shared one is no work of the agent.
  let startedAt = performance.now();
  const artifacts = parts.artifacts(trial, attempt.number);
  const left: { state?: SessionState } = {};
  const late: string[] = [];
  const world = {
    ...worldOf(attempt, artifacts),
    handOver: (state: SessionState) => void (left.state = state),
    note: noteInto(attempt, late),
  };
  const conversation = newConversation();
  let limit: LimitMet | undefined;
  let workspace: Workspace | undefined;
  let grades: readonly Grade[] = [];
  let decision: Decision;
  let thrown: unknown;
  let subject: Subject | undefined;
  let blamed: keyof typeof BLAME = 'workspace';
  try {
    workspace = await parts.workspaces.prepare(testCase, world, signal);
    startedAt = performance.now();
    blamed = 'target';
    const around = withWorkspace(world, workspace);
    const talk = () => hold(attempt, around, conversation);
    limit = await orLimit(attempt, withCeilingSetAside(attempt, conversation, talk));
    blamed = 'workspace';
    await workspace?.seal(signal);
    blamed = 'grading';
    subject = subjectOf(attempt, conversation, { workspace, artifacts, note: noteInto(attempt, late) });
    grades = await graded(attempt, subject);
    decision = decide(grades, attempt.settings.threshold, testCase.scoredIn);
  } catch (error) {
    thrown = firstOf(error);
    limit = limitOf(thrown);
    decision = undecided(errorRecord(thrown, { stage: blamed, kind: BLAME[blamed] }));
  }
  const durationMs = () => Math.round(performance.now() - startedAt);
  const isLast = !(attempt.mayRepeat && isTransient(thrown));
  const ended = { grades, decision, artifacts, isLast, durationMs: durationMs(), ...left };
  const isUndone = signal.aborted || thrown instanceof BudgetSpent;
  const known = subject === undefined ? ended : { ...ended, subject };
  const concluded: ConcludedAttempt = isUndone ? { decision } : await concludedOf(attempt, known);
  await left.state?.[Symbol.asyncDispose]();
  for (const fact of (concluded.grades ?? []).map(gradeFact)) tell(attempt, fact);
  const released = await workspace?.release(isUndone ? 'cancelled' : fateOf(testCase, concluded));
  for (const text of released?.warnings ?? []) tell(attempt, { type: 'note', text });
  const artifactDir = artifacts.close();
  return {
    conversation,
    grades: [...grades, ...(concluded.grades ?? [])],
    ...decidedBy(concluded),
    thrown,
    notes: [...(concluded.notes ?? []), ...(released?.warnings ?? []), ...late],
    durationMs: durationMs(),
    ...(limit === undefined ? {} : { limit }),
    ...(artifactDir === undefined ? {} : { artifactDir }),
    ...(released?.keptAt === undefined ? {} : { workspacePath: released.keptAt }),
  };
}

async function graded(attempt: Attempt, subject: Subject): Promise<readonly Grade[]> {
  const { trial, parts, signal } = attempt;
  const { graderFor } = parts;
  const grades = await gradeTrial(subject, { graderFor, digests: trial.graders, signal });
  for (const fact of [...judgeUsage(grades), ...grades.map(gradeFact)]) tell(attempt, fact);
  return grades;
}

function gradeFact(grade: Grade): Fact {
  return { type: 'grade', grade };
}

/** A note is in the log at once, and in the row when that is not written yet. */
function noteInto(attempt: Attempt, notes: string[]): (text: string) => void {
  return (text) => {
    notes.push(text);
    tell(attempt, { type: 'note', text });
  };
}

async function concludedOf(
  { parts, signal, trial, testCase, number }: Attempt,
  ended: Omit<EndedAttempt, 'trial' | 'testCase' | 'attempt'>,
): Promise<ConcludedAttempt> {
  if (parts.conclude === undefined || signal.aborted) return { decision: ended.decision };
  try {
    return await parts.conclude({ ...ended, trial, testCase, attempt: number });
  } catch (error) {
    const notes = [`what the attempt leaves behind could not be written: ${messageOf(error)}`];
    return { decision: ended.decision, notes };
  }
}

function decidedBy({
  decision,
  failureClass,
  isUnexpected,
}: ConcludedAttempt): Pick<AttemptOutcome, 'decision' | 'failureClass' | 'isUnexpected'> {
  return {
    decision,
    ...(isUnexpected === undefined ? {} : { isUnexpected }),
    ...(failureClass === undefined ? {} : { failureClass }),
  };
}

/** What decides whether a workspace is kept: only what passed as it should is thrown away. */
function fateOf({ expectedFail }: TestCase, { decision }: ConcludedAttempt): Verdict {
  const isSurprise = expectedFail === true && decision.verdict === 'passed';
  return isSurprise ? 'failed' : decision.verdict;
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

/** Opens the session, lets both sides speak, and ends the session and its processes whatever happened. */
async function hold(attempt: Attempt, world: World, conversation: Conversation): Promise<void> {
  const { trial, testCase, settings, parts, signal } = attempt;
  const target = await unlessAborted(parts.target(trial.target, signal), signal);
  const watch = startWatch(settings.limits);
  const abandon = () => watch.abort(signal.reason);
  signal.addEventListener('abort', abandon);
  if (signal.aborted) abandon();
  try {
    watch.asking('target');
    const { artifacts } = world;
    await using tools = await parts.openWorld?.({ trial, testCase, artifacts, broken: watch.abort });
    const heard: World = { ...world, ...(tools && offered(tools)), pulse: watch.pulse, hold: watch.hold };
    await using opened = await openSession(target, heard, watch);
    const session = throughTools(opened, tools, settings);
    const talk = {
      session,
      user: parts.userFor(testCase, {
        target: trial.target,
        repetition: trial.repetition,
        artifacts: world.artifacts,
        spent: (use) => {
          conversation.modelUses.push(use);
          tell(attempt, use);
        },
      }),
      watch,
      limits: settings.limits,
      price: settings.price,
      now: parts.now,
      tell: (fact: Fact) => tell(attempt, fact),
    };
    try {
      return await converse(talk, conversation);
    } finally {
      conversation.world = tools?.outcome();
    }
  } finally {
    signal.removeEventListener('abort', abandon);
    watch.stop();
  }
}

/** The error that came first: one of putting things away does not hide it. */
function firstOf(error: unknown): unknown {
  let first = error;
  while (first instanceof Error && 'suppressed' in first) first = first.suppressed;
  return first;
}

function tell(attempt: Attempt, fact: Fact): void {
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
  if (workspace === undefined) return world;
  const { directory, isForeign } = workspace;
  return { ...world, workspace: { directory, ...(isForeign === undefined ? {} : { isForeign }) } };
}

function undecided(error: ErrorRecord): Decision {
  return { verdict: 'errored', score: null, fallenGates: [], ungraded: 0, error };
}

import { errorRecord, MeasurementError, type LimitMet } from '../core/errors.ts';
import type { Grade, Subject } from '../core/grade.ts';
import { CANCELLED, decide, undecided, type Decision } from '../core/verdict.ts';
import type { Workspace } from '../core/workspace.ts';
import { given } from '../lib/given.ts';
import { plural } from '../lib/text/plural.ts';
import type { Attempt, Scene } from './attempt-scene.ts';
import { subjectOf } from './attempt-subject.ts';
import { isCancelled } from './cancelled.ts';
import { gradeTrial } from './grade-trial.ts';
import { holdSession } from './hold-session.ts';
import { judgeUsage } from './judge-spending.ts';
import { keepAnswer, takeKept } from './kept-answer.ts';
import { decisionOf, stands } from './past-session.ts';
import { withCeilingReserved } from './reserve-ceiling.ts';
import { tell, tellGrades } from './tell.ts';

/** The result of measuring an attempt, or the error that prevented it. */
export interface Measured {
  readonly grades: readonly Grade[];
  readonly decision: Decision;
  /** Absent if the agent did not finish. */
  readonly subject?: Subject;
  /** The thrown error, to decide whether the attempt may be repeated. */
  readonly thrown?: unknown;
  readonly limit?: LimitMet;
}

/** Workspace, session, grades, verdict. Any error on the way makes the attempt errored. Never rejects. */
export async function measure(attempt: Attempt, scene: Scene): Promise<Measured> {
  const { testCase, settings, context, signal } = attempt;
  let stage: keyof typeof BLAME = 'workspace';
  let subject: Subject | undefined;
  try {
    scene.enter(await context.workspaces.prepare(testCase, scene.world, signal));
    stage = 'target';
    const limit = await runSession(attempt, scene);
    const { past } = scene.conversation;
    if (past !== undefined && stands(past.row)) return { grades: [], decision: decisionOf(past.row) };
    stage = 'workspace';
    await scene.workspace?.endProcesses();
    await scene.workspace?.capture(signal);
    stage = 'grading';
    refuseChanged(attempt);
    if (past?.ungradable !== undefined) throw past.ungradable;
    subject = subjectOf(attempt, scene);
    const grades = await graded(attempt, scene, subject);
    const thrown = scene.workspace === undefined ? undefined : await tampering(scene.workspace);
    refuseChanged(attempt);
    if (limit === undefined && thrown === undefined) await keepAnswer(attempt, scene);
    const decision =
      thrown === undefined
        ? decide(grades, settings.threshold, testCase.scoredIn)
        : undecided(errorRecord(thrown, { stage, kind: BLAME[stage] }));
    return limit === undefined
      ? { grades, decision, subject, thrown }
      : { grades, decision, subject, thrown, limit };
  } catch (error) {
    const thrown = firstOf(error);
    const limit = limitOf(thrown);
    return {
      grades: [],
      decision: isCancelled(signal)
        ? CANCELLED
        : undecided(errorRecord(thrown, { stage, kind: BLAME[stage] })),
      thrown,
      ...given({ subject, limit }),
    };
  }
}

/** The default kind of an error, by stage. */
const BLAME = { workspace: 'workspace-setup', target: 'runner-crash', grading: 'grader' } as const;

/** Runs the session, including its reservation. If the run grades at limits, returns the limit that ended the session. */
async function runSession(attempt: Attempt, scene: Scene): Promise<LimitMet | undefined> {
  if (takeKept(attempt, scene)) return undefined;
  try {
    await withCeilingReserved(attempt, scene.conversation, (spent) => holdSession(attempt, scene, spent));
    return undefined;
  } catch (error) {
    const limit = limitOf(firstOf(error));
    if (attempt.settings.onLimit !== 'grade' || limit === undefined) throw error;
    return limit;
  } finally {
    scene.artifacts.takeOver();
  }
}

/** Grades the subject. If the attempt is stopped in the meantime, only the cost of its judges is kept. */
async function graded(attempt: Attempt, scene: Scene, subject: Subject): Promise<readonly Grade[]> {
  const { trial, context, signal } = attempt;
  const { graderFor } = context;
  const grades = await gradeTrial(subject, { graderFor, digests: trial.graders, signal });
  const spent = judgeUsage(grades);
  for (const fact of spent) tell(attempt, fact);
  if (signal.aborted) {
    scene.conversation.modelUses.push(...spent);
    signal.throwIfAborted();
  }
  tellGrades(attempt, grades);
  return grades;
}

/** Throws if what grades is not what it was when the run began. */
function refuseChanged({ trial, context }: Attempt): void {
  const changed = context.evidence?.changed(trial);
  if (changed === undefined) return;
  throw new MeasurementError(`${changed} has changed since the run began, and it decides what passes`, {
    stage: 'grading',
    kind: 'tampered',
    detail: 'evidence-changed',
    hint: 'If you did not change it, an agent did: run it in a sandbox. Then start a new run.',
  });
}

/** An error if another process changed graded files during grading. */
async function tampering(workspace: Workspace): Promise<MeasurementError | undefined> {
  const paths = (await workspace.tampered?.()) ?? [];
  if (paths.length === 0) return undefined;
  const [first, ...others] = paths;
  const more = others.length === 0 ? '' : ` and ${plural(others.length, 'other file')}`;
  return new MeasurementError(`${first}${more} of the workspace changed during grading`, {
    stage: 'grading',
    kind: 'tampered',
    hint: 'A process of the agent is still running, or a grader writes to files listed in `restore`. Make the grader write to a copy of these files.',
  });
}

function limitOf(error: unknown): LimitMet | undefined {
  return error instanceof MeasurementError ? error.limit : undefined;
}

/** The first error, which a later cleanup error must not hide. */
function firstOf(error: unknown): unknown {
  let first = error;
  while (first instanceof Error && 'suppressed' in first) first = first.suppressed;
  return first;
}

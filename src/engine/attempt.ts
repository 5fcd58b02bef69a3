import { BudgetSpent, messageOf, type LimitMet } from '../core/errors.ts';
import type { Grade } from '../core/grade.ts';
import type { Row } from '../core/run.ts';
import type { TestCase } from '../core/test-case.ts';
import type { Decision, Verdict } from '../core/verdict.ts';
import type { Workspace } from '../core/workspace.ts';
import { given } from '../lib/given.ts';
import { setScene, type Attempt, type Scene } from './attempt-scene.ts';
import { isAbandoned } from './cancelled.ts';
import type { Conversation } from './converse.ts';
import { measure, type Measured } from './measure.ts';
import type { ConcludedAttempt } from './parts.ts';
import type { ArtifactsEnd } from '../core/target.ts';
import { isTransient } from './retry.ts';
import { tell, tellGrades } from './tell.ts';

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
  const scene = setScene(attempt);
  const measured = await measure(attempt, scene);
  const concluded = await conclude(attempt, scene, measured);
  const left = await putAway(attempt, scene, { measured, concluded });
  const { decision, failureClass, isUnexpected } = concluded;
  const { thrown, limit } = measured;
  const { artifactDir, workspacePath } = left;
  const outcome: { -readonly [Key in keyof AttemptOutcome]: AttemptOutcome[Key] } = {
    conversation: scene.conversation,
    grades: concluded.grades === undefined ? measured.grades : [...measured.grades, ...concluded.grades],
    decision,
    thrown,
    notes: [...(concluded.notes ?? []), ...left.warnings, ...scene.notes],
    durationMs: scene.durationMs(),
  };
  if (failureClass !== undefined) outcome.failureClass = failureClass;
  if (isUnexpected !== undefined) outcome.isUnexpected = isUnexpected;
  if (limit !== undefined) outcome.limit = limit;
  if (artifactDir !== undefined) outcome.artifactDir = artifactDir;
  if (workspacePath !== undefined) outcome.workspacePath = workspacePath;
  return outcome;
}

/** The last word on an attempt; one that was stopped gets none, since it was not judged. */
async function conclude(attempt: Attempt, scene: Scene, measured: Measured): Promise<ConcludedAttempt> {
  const { parts, trial, testCase, number, mayRepeat } = attempt;
  const { decision, grades, subject, thrown } = measured;
  const { artifacts, state } = scene;
  if (parts.conclude === undefined || isUndone(attempt, measured)) return { decision };
  try {
    const concluded = await parts.conclude({
      trial,
      testCase,
      attempt: number,
      grades,
      decision,
      artifacts,
      isLast: !(mayRepeat && isTransient(thrown)),
      durationMs: scene.durationMs(),
      ...given({ subject, state }),
    });
    tellGrades(attempt, concluded.grades ?? []);
    return concluded;
  } catch (error) {
    const notes = [`what the attempt leaves behind could not be written: ${messageOf(error)}`];
    return { decision, notes };
  }
}

interface Ended {
  readonly measured: Measured;
  readonly concluded: ConcludedAttempt;
}

interface Left {
  readonly warnings: readonly string[];
  readonly artifactDir: string | undefined;
  readonly workspacePath: string | undefined;
}

/** Removes what the attempt had, but for what is kept to be looked at. */
async function putAway(attempt: Attempt, scene: Scene, { measured, concluded }: Ended): Promise<Left> {
  if (scene.state !== undefined) await scene.state[Symbol.asyncDispose]();
  const fate = isUndone(attempt, measured) ? 'cancelled' : fateOf(attempt.testCase, concluded);
  const { keptAt, warnings } =
    scene.workspace === undefined ? NOTHING_KEPT : await scene.workspace.release(fate);
  const { directory, notes } = await closed(scene);
  const told = [...warnings, ...notes];
  for (const text of told) tell(attempt, { type: 'note', text });
  return { warnings: told, artifactDir: directory, workspacePath: keptAt };
}

const NOTHING_KEPT: Awaited<ReturnType<Workspace['release']>> = { warnings: [] };

/** Who hears that nothing can be written any more is told by the artifacts themselves. */
async function closed({ artifacts }: Scene): Promise<ArtifactsEnd> {
  return artifacts.close().catch(() => ({ notes: [] }));
}

/** Stopped from outside, or for want of money: such an attempt is made again when the run is resumed. */
function isUndone({ signal }: Attempt, { thrown, decision }: Measured): boolean {
  return isAbandoned(signal) || decision.verdict === 'cancelled' || thrown instanceof BudgetSpent;
}

/** What decides whether a workspace is kept: only what passed as it should is thrown away. */
function fateOf({ expectedFail }: TestCase, { decision }: ConcludedAttempt): Verdict {
  const isSurprise = expectedFail === true && decision.verdict === 'passed';
  return isSurprise ? 'failed' : decision.verdict;
}

import { BudgetSpent, messageOf } from '../core/errors.ts';
import type { Row } from '../core/run.ts';
import type { ResourceLimit } from '../core/sandbox.ts';
import type { TestCase } from '../core/test-case.ts';
import type { Verdict } from '../core/verdict.ts';
import type { Workspace } from '../core/workspace.ts';
import { given } from '../lib/given.ts';
import { setScene, type Attempt, type Scene } from './attempt-scene.ts';
import { isAbandoned } from './cancelled.ts';
import type { Conversation } from './converse.ts';
import { measure, type Measured } from './measure.ts';
import type { ConcludedAttempt } from './trial-context.ts';
import type { ArtifactsEnd } from '../core/target.ts';
import { isTransient } from './retry.ts';
import { tell, tellGrades } from './tell.ts';

export interface AttemptOutcome
  extends
    Omit<Measured, 'subject'>,
    Pick<ConcludedAttempt, 'failureClass' | 'isUnexpected'>,
    Pick<Row, 'artifactDir' | 'workspacePath' | 'durationMs'> {
  readonly conversation: Conversation;
  /** Limits of the sandbox that were not enforced. */
  readonly unenforced: readonly ResourceLimit[];
  readonly notes: readonly string[];
}

/** One attempt at a trial: workspace, session, grades, verdict, then cleanup. Never rejects. */
export async function runAttempt(attempt: Attempt): Promise<AttemptOutcome> {
  const scene = setScene(attempt);
  const measured = await measure(attempt, scene);
  const concluded = await conclude(attempt, scene, measured);
  const kept = await putAway(attempt, scene, { measured, concluded });
  const { decision, failureClass, isUnexpected } = concluded;
  const { thrown, limit } = measured;
  const { artifactDir, workspacePath } = kept;
  return {
    conversation: scene.conversation,
    grades: [...measured.grades, ...(concluded.grades ?? [])],
    decision,
    thrown,
    notes: [...(concluded.notes ?? []), ...kept.warnings, ...scene.notes],
    unenforced: unenforcedIn(attempt, scene),
    durationMs: scene.durationMs(),
    ...given({ failureClass, isUnexpected, limit, artifactDir, workspacePath }),
  };
}

/** The workspace enforces the limit of files, not the sandbox. */
function unenforcedIn({ trial, context }: Attempt, { workspace }: Scene): readonly ResourceLimit[] {
  const names = context.unenforcedOf?.(trial.target) ?? [];
  return workspace?.limitsDisk === true ? names.filter((name) => name !== 'diskMb') : names;
}

/** Concludes an attempt. A stopped attempt is not concluded, because it was not judged. */
async function conclude(attempt: Attempt, scene: Scene, measured: Measured): Promise<ConcludedAttempt> {
  const { context, trial, testCase, number, mayRepeat } = attempt;
  const { decision, grades, subject, thrown } = measured;
  const { artifacts, state } = scene;
  if (context.conclude === undefined || isUndone(attempt, measured)) return { decision };
  try {
    const concluded = await context.conclude({
      trial,
      testCase,
      attempt: number,
      grades,
      decision,
      artifacts,
      isLast: !(mayRepeat && isTransient(thrown)),
      durationMs: scene.durationMs(),
      ...given({ subject, state, directory: scene.workspace?.directory }),
    });
    tellGrades(attempt, concluded.grades ?? []);
    return concluded;
  } catch (error) {
    const notes = [`the files of the attempt could not be written: ${messageOf(error)}`];
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

/** Releases the resources of the attempt, except for what is kept for inspection. */
async function putAway(attempt: Attempt, scene: Scene, { measured, concluded }: Ended): Promise<Left> {
  if (scene.state !== undefined) await scene.state[Symbol.asyncDispose]();
  const fate = isUndone(attempt, measured) ? 'cancelled' : fateOf(attempt.testCase, concluded);
  await scene.workspace?.endProcesses();
  const { keptAt, warnings } = (await scene.workspace?.release(fate)) ?? NOTHING_KEPT;
  const { directory, notes } = await closed(scene);
  const told = [...warnings, ...notes];
  for (const text of told) tell(attempt, { type: 'note', text });
  return { warnings: told, artifactDir: directory, workspacePath: keptAt };
}

const NOTHING_KEPT: Awaited<ReturnType<Workspace['release']>> = { warnings: [] };

/** Closes the artifacts. They report a write error themselves. */
async function closed({ artifacts }: Scene): Promise<ArtifactsEnd> {
  return artifacts.close().catch(() => ({ notes: [] }));
}

/** Whether it was stopped from outside or by the budget. Such an attempt is repeated when the run is resumed. */
function isUndone({ signal }: Attempt, { thrown, decision }: Measured): boolean {
  return isAbandoned(signal) || decision.verdict === 'cancelled' || thrown instanceof BudgetSpent;
}

/** The verdict that decides whether a workspace is kept. Only that of an expected pass is removed. */
function fateOf({ expectedFail }: TestCase, { decision }: ConcludedAttempt): Verdict {
  const isSurprise = expectedFail === true && decision.verdict === 'passed';
  return isSurprise ? 'failed' : decision.verdict;
}

import { join } from 'node:path';

import type { Question } from '../../../assertions/questions.ts';
import { messageOf } from '../../../core/errors.ts';
import { FORMAT_VERSION } from '../../../core/run.ts';
import type { EndedAttempt } from '../../../engine/trial-context.ts';
import { given } from '../../../lib/given.ts';

export const EXPLAIN_FILE = 'explain.json';

/** Name of the folder with the agent's session state, in the folder of an attempt. */
export const STATE_FOLDER = 'agent-state';

/** The questions about a failed attempt, and how to find its session. */
export interface ExplainFile {
  readonly formatVersion: number;
  readonly suite: string;
  readonly caseId: string;
  readonly targetId: string;
  readonly repetition: number;
  readonly attempt: number;
  /** Absolute path of the directory in which the agent worked. */
  readonly directory?: string;
  readonly sessionId?: string;
  readonly questions: readonly Question[];
  /** Files of the agent's state that were not kept, because of their size or because they are binary files with secrets. */
  readonly leftOut?: readonly string[];
  /** Why the state was not kept at all. */
  readonly stateError?: string;
}

/** Copies a state without secrets. Returns the paths that were left out. */
export type StateKeeper = (source: string, target: string) => Promise<readonly string[]>;

/** Stores everything that `assay explain` needs of a failed attempt. */
export async function keepForExplain(
  { trial, attempt, artifacts, subject, state, directory }: EndedAttempt,
  questions: readonly Question[],
  keepState: StateKeeper,
): Promise<void> {
  const { suite, caseId, target, repetition } = trial;
  const sessionId = subject?.session?.id;
  const file: ExplainFile = {
    formatVersion: FORMAT_VERSION,
    suite,
    caseId,
    targetId: target,
    repetition,
    attempt,
    ...given({ directory, sessionId }),
    questions,
    ...(state === undefined
      ? {}
      : await kept(state.directory, join(artifacts.directory(), STATE_FOLDER), keepState)),
  };
  await artifacts.write(EXPLAIN_FILE, `${JSON.stringify(file, null, 2)}\n`);
}

async function kept(
  source: string,
  target: string,
  keepState: StateKeeper,
): Promise<Pick<ExplainFile, 'leftOut' | 'stateError'>> {
  try {
    const leftOut = await keepState(source, target);
    return leftOut.length === 0 ? {} : { leftOut };
  } catch (error) {
    return { stateError: messageOf(error) };
  }
}

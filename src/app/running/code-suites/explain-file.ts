import { join } from 'node:path';

import type { Question } from '../../../assertions/questions.ts';
import { messageOf } from '../../../core/errors.ts';
import { FORMAT_VERSION } from '../../../core/run.ts';
import type { EndedAttempt } from '../../../engine/parts.ts';
import { given } from '../../../lib/given.ts';

export const EXPLAIN_FILE = 'explain.json';

/** The folder of an attempt that holds what its agent keeps of the session. */
export const STATE_FOLDER = 'agent-state';

/** What can be asked about a failed attempt, and how its session is found again. */
export interface ExplainFile {
  readonly formatVersion: number;
  readonly suite: string;
  readonly caseId: string;
  readonly targetId: string;
  readonly repetition: number;
  readonly attempt: number;
  /** Absolute; where the agent worked. */
  readonly directory?: string;
  readonly sessionId?: string;
  readonly questions: readonly Question[];
  /** What of the agent's state was not kept, because of secrets in what is no text, or of its size. */
  readonly leftOut?: readonly string[];
  /** Why nothing of it was kept. */
  readonly stateError?: string;
}

/** Copies a state without secrets; gives the paths of what was left out. */
export type StateKeeper = (source: string, target: string) => Promise<readonly string[]>;

/** Keeps all that `assay explain` needs of a failed attempt. */
export async function keepForExplain(
  { trial, attempt, artifacts, subject, state }: EndedAttempt,
  questions: readonly Question[],
  keepState: StateKeeper,
): Promise<void> {
  const { suite, caseId, target, repetition } = trial;
  const directory = subject?.workspace?.directory;
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

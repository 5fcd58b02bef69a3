import * as z from 'zod';
import { join } from 'node:path';

import type { Question } from '../../../assertions/questions.ts';
import { messageOf } from '../../../core/errors.ts';
import { FORMAT_VERSION } from '../../../core/run.ts';
import type { EndedAttempt } from '../../../engine/trial-context.ts';
import { given } from '../../../lib/given.ts';

export const EXPLAIN_FILE = 'explain.json';

/** Name of the folder with the agent's session state, in the folder of an attempt. */
export const STATE_FOLDER = 'agent-state';

export const question = z.object({
  question: z.string(),
  source: z.object({ file: z.string(), line: z.number(), column: z.number() }).exactOptional(),
});

export const explainFile = z.object({
  formatVersion: z.literal(FORMAT_VERSION),
  suite: z.string(),
  caseId: z.string(),
  targetId: z.string(),
  repetition: z.number(),
  attempt: z.number(),
  /** Absolute path of the directory in which the agent worked. */
  directory: z.string().exactOptional(),
  sessionId: z.string().exactOptional(),
  questions: z.array(question).readonly(),
  /** Files of the agent's state that were not kept, because of their size or because they are binary files with secrets. */
  leftOut: z.array(z.string()).readonly().exactOptional(),
  /** Why the state was not kept at all. */
  stateError: z.string().exactOptional(),
});

/** The questions about a failed attempt, and how to find its session. */
export type ExplainFile = Readonly<z.infer<typeof explainFile>>;

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

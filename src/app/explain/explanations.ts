import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as z from 'zod';

import { AssayError, messageOf } from '../../core/errors.ts';
import {
  EXPLAIN_FILE,
  explainFile,
  question,
  type ExplainFile,
} from '../running/code-suites/explain-file.ts';
import { issueText } from '../../lib/text/issue-text.ts';

const answer = question.extend({
  answer: z.string().exactOptional(),
  error: z.string().exactOptional(),
  durationMs: z.number(),
  artifactDir: z.string(),
});

const rounds = z.object({
  rounds: z.array(z.object({ startedAt: z.string(), answers: z.array(answer) })),
});

/** The answer to one question, or why there is no answer. `artifactDir` is relative to the attempt's folder. */
export type Answer = Readonly<z.infer<typeof answer>>;

/** All questions of an attempt, asked in order. */
export interface Round {
  readonly startedAt: string;
  readonly answers: readonly Answer[];
}

const ANSWERS_FILE = 'explanations.json';

export function readExplainFile(attempt: string): ExplainFile {
  return read(join(attempt, EXPLAIN_FILE), explainFile);
}

/** Reads all rounds; empty before the first one. Throws `explain-unreadable`. */
export function readRounds(attempt: string): readonly Round[] {
  const path = join(attempt, ANSWERS_FILE);
  return existsSync(path) ? read(path, rounds).rounds : [];
}

/** Replaces the file atomically. Throws `results-not-written`. */
export function writeRounds(attempt: string, all: readonly Round[]): void {
  const path = join(attempt, ANSWERS_FILE);
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, `${JSON.stringify({ rounds: all }, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    throw new AssayError('results-not-written', `cannot write ${path}: ${messageOf(error)}`, {
      stage: 'log',
      hint: 'free disk space, then ask again',
      cause: error,
    });
  }
}

function read<T>(path: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const what = error instanceof z.ZodError ? issueText(error) : messageOf(error);
    throw new AssayError('explain-unreadable', `${path} cannot be read: ${what}`, {
      stage: 'plan',
      hint: 'run the case again',
      cause: error,
    });
  }
}

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import * as z from 'zod';

import { AssayError } from '../../core/errors.ts';
import { AuthoringError, type Problem } from '../../core/problem.ts';
import { whyUnreadable } from '../../lib/files/why-unreadable.ts';

const label = z.strictObject({
  trial: z.string().regex(/^[^/]+\/./, 'write it as <run id>/<trial key>'),
  expectation: z.string().min(1).nullable(),
  verdict: z.enum(['passed', 'failed'], { error: 'must be passed or failed' }),
  note: z.string().nullable().optional(),
  by: z.string().min(1),
});

/** A person's verdict on one expectation of one trial, or on the whole trial. */
export interface Label {
  readonly runId: string;
  readonly key: string;
  /** Null: the whole trial. */
  readonly expectation: string | null;
  readonly passed: boolean;
  readonly note?: string;
  readonly by: string;
}

/** Reads the labels of a JSONL file. Throws all problems of all lines at once. */
export function readLabels(file: string, cwd: string): readonly Label[] {
  const text = contentOf(file, cwd);
  const labels: Label[] = [];
  const problems: Problem[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = readLine(line);
    if ('label' in read) labels.push(read.label);
    else
      problems.push(
        ...read.messages.map((message) => ({ file, line: i + 1, code: 'invalid-label', message }) as const),
      );
  }
  if (problems.length > 0) throw new AuthoringError(problems);
  if (labels.length === 0) {
    throw new AuthoringError([
      {
        file,
        code: 'no-labels',
        message: 'the file contains no labels',
        hint: 'write one label per line: {"trial", "expectation", "verdict", "by"}',
      },
    ]);
  }
  return labels;
}

function readLine(line: string): { readonly label: Label } | { readonly messages: readonly string[] } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { messages: ['the line is not valid JSON'] };
  }
  const read = label.safeParse(value);
  if (!read.success) {
    return {
      messages: read.error.issues.map(({ path, message }) => `${path.join('.') || 'the label'}: ${message}`),
    };
  }
  const { trial, expectation, verdict, note, by } = read.data;
  const slash = trial.indexOf('/');
  return {
    label: {
      runId: trial.slice(0, slash),
      key: trial.slice(slash + 1),
      expectation,
      passed: verdict === 'passed',
      ...(note === undefined || note === null ? {} : { note }),
      by,
    },
  };
}

function contentOf(file: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw new AssayError(
      'labels-unreadable',
      `the labels in ${file} cannot be read: ${whyUnreadable(cause)}`,
      {
        stage: 'plan',
        hint: 'name a JSONL file with one label per line: {"trial", "expectation", "verdict", "by"}',
        cause,
      },
    );
  }
}

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

import { AssayError, messageOf } from '../core/errors.ts';
import { TOKEN_METRICS } from '../core/session-report.ts';
import { issueText } from '../lib/text/issue-text.ts';

const entry = z.strictObject({
  caseId: z.string(),
  runnerId: z.string(),
  metric: z.enum(TOKEN_METRICS),
  value: z.number().min(0),
  agentType: z.string(),
  model: z.string(),
  updatedAt: z.string(),
});

const file = z.strictObject({ version: z.literal(1), entries: z.record(z.string(), entry) });

export type StoredBaseline = Readonly<z.infer<typeof entry>>;

/** The entries sorted by key. A missing file has no entries. Throws `snapshots-unreadable`. */
export function readTokenBaselines(path: string): readonly StoredBaseline[] {
  if (!existsSync(path)) return [];
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw unreadable(path, messageOf(error), error);
  }
  const read = file.safeParse(content);
  if (!read.success) throw unreadable(path, issueText(read.error), read.error);
  return Object.values(read.data.entries);
}

/** Writes all entries, sorted by `keyOf`. An equal file is not changed. Throws `results-not-written`. */
export function writeTokenBaselines(
  path: string,
  entries: readonly StoredBaseline[],
  keyOf: (entry: StoredBaseline) => string,
): void {
  const sorted = entries
    .map((each): [string, StoredBaseline] => [keyOf(each), each])
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const text = `${JSON.stringify({ version: 1, entries: Object.fromEntries(sorted) }, undefined, 2)}\n`;
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new AssayError('results-not-written', `cannot write ${path}: ${messageOf(error)}`, {
      stage: 'log',
      hint: 'make it writable, or set another path in `snapshots.path`',
      cause: error,
    });
  }
}

function unreadable(path: string, what: string, cause: unknown): AssayError {
  return new AssayError('snapshots-unreadable', `${path} is not a valid file of token baselines: ${what}`, {
    stage: 'authoring',
    hint: 'restore it, or remove it and record it again with --update-snapshots',
    cause,
  });
}

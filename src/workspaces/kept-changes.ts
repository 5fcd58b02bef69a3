import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import type { FileChange } from '../core/file-change.ts';

/** Writes the agent's changes next to a kept directory; changes with secrets are left out. */
export function writeKeptChanges(
  keptAt: string,
  changes: readonly FileChange[],
  redact: (text: string) => string,
): void {
  const text = JSON.stringify(changes);
  if (redact(text) === text) writeFileSync(keptChangesFile(keptAt), `${text}\n`, { mode: 0o600 });
}

/** Reads the agent's changes of a kept directory, if they were written. */
export function readKeptChanges(keptAt: string): readonly FileChange[] | undefined {
  const file = keptChangesFile(keptAt);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly FileChange[]) : undefined;
}

/** The path for both. */
export function keptChangesFile(keptAt: string): string {
  return `${keptAt}.changes.json`;
}

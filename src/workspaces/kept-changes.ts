import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import type { FileChange } from '../core/file-change.ts';

/** Writes beside a kept directory what the agent changed in it; what a secret stands in is not written. */
export function writeKeptChanges(
  keptAt: string,
  changes: readonly FileChange[],
  redact: (text: string) => string,
): void {
  const text = JSON.stringify(changes);
  if (redact(text) === text) writeFileSync(keptChangesFile(keptAt), `${text}\n`, { mode: 0o600 });
}

/** What the agent changed in a kept directory, where it was written. */
export function readKeptChanges(keptAt: string): readonly FileChange[] | undefined {
  const file = keptChangesFile(keptAt);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly FileChange[]) : undefined;
}

/** Where both find it. */
export function keptChangesFile(keptAt: string): string {
  return `${keptAt}.changes.json`;
}

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Writes next to a kept directory which paths differ from what the agent left. */
export function writeRedactedPaths(keptAt: string, paths: readonly string[]): void {
  const file = redactedPathsFile(keptAt);
  if (paths.length === 0) rmSync(file, { force: true });
  else writeFileSync(file, `${JSON.stringify(paths)}\n`, { mode: 0o600 });
}

/** Paths in a kept directory that differ from what the agent left, or are missing. */
export function readRedactedPaths(keptAt: string): readonly string[] {
  const file = redactedPathsFile(keptAt);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly string[]) : [];
}

/** The path for both. */
export function redactedPathsFile(keptAt: string): string {
  return `${keptAt}.redacted.json`;
}

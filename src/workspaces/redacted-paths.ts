import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Tells beside a kept directory what is not as the agent left it. */
export function writeRedactedPaths(keptAt: string, paths: readonly string[]): void {
  const file = redactedPathsFile(keptAt);
  if (paths.length === 0) rmSync(file, { force: true });
  else writeFileSync(file, `${JSON.stringify(paths)}\n`, { mode: 0o600 });
}

/** Paths in a kept directory that are not as the agent left them, or are missing. */
export function readRedactedPaths(keptAt: string): readonly string[] {
  const file = redactedPathsFile(keptAt);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly string[]) : [];
}

/** Where both find it. */
export function redactedPathsFile(keptAt: string): string {
  return `${keptAt}.redacted.json`;
}

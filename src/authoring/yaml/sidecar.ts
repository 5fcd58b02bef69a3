import { existsSync } from 'node:fs';

/** The suite a file belongs to: a YAML file with a `.jsonl` of the same base beside it holds only that one's keys. */
export function suiteFileOf(path: string): string {
  const lines = path.replace(/\.ya?ml$/, '.jsonl');
  return lines !== path && existsSync(lines) ? lines : path;
}

/** The YAML files that may hold the keys of a `.jsonl` suite. */
export function sidecarsOf(path: string): readonly string[] {
  const base = path.slice(0, -'.jsonl'.length);
  return [`${base}.yaml`, `${base}.yml`].filter((candidate) => existsSync(candidate));
}

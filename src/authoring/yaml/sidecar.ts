import { existsSync } from 'node:fs';

/** The suite of a file: a YAML file next to a `.jsonl` of the same name only has the keys of that suite. */
export function suiteFileOf(path: string): string {
  const lines = path.replace(/\.ya?ml$/, '.jsonl');
  return lines !== path && existsSync(lines) ? lines : path;
}

/** The YAML files that may have the keys of a `.jsonl` suite. */
export function sidecarsOf(path: string): readonly string[] {
  const base = path.slice(0, -'.jsonl'.length);
  return [`${base}.yaml`, `${base}.yml`].filter((candidate) => existsSync(candidate));
}

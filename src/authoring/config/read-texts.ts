import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { statusAt } from '../../lib/files/file-status.ts';
import type { JsonObject } from '../../lib/json.ts';
import { textFile } from '../../lib/text/prompt-file.ts';
import { fault, type Fault, pathLabel } from '../yaml/fault.ts';
import type { WrittenEntry } from './written-targets.ts';

/** The configuration of a target, with the contents of files in place of their paths. */
export function readTexts(
  config: JsonObject,
  keys: readonly string[],
  { directory, place }: { readonly directory: string; readonly place: WrittenEntry['place'] },
): { readonly config: JsonObject; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const read: Record<string, string> = {};
  for (const key of keys) {
    const written = config[key];
    const file = typeof written === 'string' ? textFile(written) : undefined;
    if (file === undefined) continue;
    const path = resolve(directory, file);
    if (statusAt(path)?.isFile() === true) {
      read[key] = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
      continue;
    }
    const at = place([key]);
    const hint = 'write a path relative to the config; a value that looks like a path is read as a file';
    faults.push(fault('missing-file', `${pathLabel(at)}: file not found: ${file}`, { path: at, hint }));
  }
  return { config: { ...config, ...read }, faults };
}

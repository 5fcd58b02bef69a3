import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { sha256 } from '../../lib/digest.ts';
import { ownStatusAt } from '../../lib/files/file-status.ts';
import { wayWithin } from '../../lib/files/way-within.ts';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';

/**
 * Digests of the files that the commands and arguments of a target name, such as `./agent.mjs` of `node ./agent.mjs`:
 * those in the project and in its working directory.
 */
export function programFiles(config: JsonObject, directory: string): readonly string[] {
  const { server, healthcheck } = config;
  const parts = [config, server, healthcheck].filter(isObject) as readonly JsonObject[];
  const words = parts.flatMap((part) => NAMING.flatMap((key) => wordsOf(part[key])));
  const folders = [
    directory,
    ...parts.flatMap(({ cwd }) => (typeof cwd === 'string' ? [resolve(directory, cwd)] : [])),
  ];
  const paths = folders.flatMap((folder) => words.map((word) => resolve(folder, word)));
  return [...new Set(paths)]
    .filter((path) => folders.some((folder) => wayWithin(folder, path) !== undefined))
    .filter((path) => ownStatusAt(path)?.isFile() === true)
    .map((path) => sha256(readFileSync(path)));
}

/** Keys of a target with words that may name files. */
const NAMING = ['command', 'commandArgs', 'args'] as const;

function wordsOf(command: JsonValue | undefined): readonly string[] {
  const texts = Array.isArray(command) ? command : [command];
  // Also within the text of a shell, and behind the name of an option.
  return texts.flatMap((text) => (typeof text === 'string' ? text.split(/[\s'"=;]+/) : [])).filter(Boolean);
}

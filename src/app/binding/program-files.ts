import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { sha256 } from '../../lib/digest.ts';
import { ownStatusAt } from '../../lib/files/file-status.ts';
import { wayWithin } from '../../lib/files/way-within.ts';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';

/** Digests of the files of a project that the commands of a target name, such as `./agent.mjs` of `node ./agent.mjs`. */
export function programFiles({ command, server }: JsonObject, directory: string): readonly string[] {
  const words = [...wordsOf(command), ...wordsOf(isObject(server) ? server['command'] : undefined)];
  return words
    .map((word) => resolve(directory, word))
    .filter((path) => wayWithin(directory, path) !== undefined && ownStatusAt(path)?.isFile() === true)
    .map((path) => sha256(readFileSync(path)));
}

function wordsOf(command: JsonValue | undefined): readonly string[] {
  const texts = Array.isArray(command) ? command : [command];
  // Also within the text of a shell, and behind the name of an option.
  return texts.flatMap((text) => (typeof text === 'string' ? text.split(/[\s'"=;]+/) : [])).filter(Boolean);
}

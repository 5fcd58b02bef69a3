import { basename } from 'node:path';

/**
 * What the keys of a published runner mean. Its `command` may be a wrapper, which is told by a word which program it
 * is to start; one that is the program itself gets no such word.
 */
export function runnerKeys(keys: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { type, command, commandArgs = [] } = keys;
  const isWrapper = type === 'codex' && typeof command === 'string' && basename(command) !== 'codex';
  return isWrapper && Array.isArray(commandArgs) ? { ...keys, commandArgs: [...commandArgs, 'codex'] } : keys;
}

import { resolve } from 'node:path';

import type { NamedProgram } from '../core/plugin.ts';
import { shellQuote } from '../lib/process/shell-quote.ts';

/** A list of arguments, or a shell command. */
export type Command = string | readonly string[];

/** Resolves a program that starts with `./` or `../` against the folder of the config. */
export function rootedCommand(command: Command, directory: string): Command {
  if (typeof command !== 'string') {
    const [program = '', ...rest] = command;
    return isRelative(program) ? [resolve(directory, program), ...rest] : command;
  }
  const [, blank = '', program = ''] = PROGRAM.exec(command) ?? [];
  if (!isRelative(program)) return command;
  return blank + shellQuote(resolve(directory, program)) + command.slice(blank.length + program.length);
}

/** The program of a command if it is a file of the project, resolved like in `rootedCommand`. */
export function relativeProgram(command: Command): readonly string[] {
  const program = typeof command === 'string' ? PROGRAM.exec(command)?.[2] : command[0];
  return program !== undefined && isRelative(program) ? [program] : [];
}

/** The program of a command at a key, unless a shell has to find it. */
export function namedProgram(
  command: Command | undefined,
  path: readonly (string | number)[],
): readonly NamedProgram[] {
  if (typeof command === 'string') return relativeProgram(command).map((program) => ({ path, program }));
  const [program] = command ?? [];
  return program === undefined ? [] : [{ path: [...path, 0], program }];
}

const PROGRAM = /^(\s*)([^\s'"`$;&|<>()\\{}*?[\]#~=%!]+)/;

function isRelative(program: string): boolean {
  return program === '.' || program === '..' || program.startsWith('./') || program.startsWith('../');
}

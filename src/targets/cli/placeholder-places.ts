import { codeArguments } from '../../lib/shell/code-arguments.ts';
import { enclosuresOf } from '../../lib/shell/enclosures.ts';
import { shellParts } from '../../lib/shell/words.ts';
import type { Command } from '../program-path.ts';
import { type Placeholder, placeholdersIn } from './command-template.ts';

/** A placeholder whose value a shell or an interpreter would read as code. */
export interface Misplaced {
  /** Of the argument; absent where the command is a text. */
  readonly argument?: number;
  readonly message: string;
}

/** Placeholders of a command that stand where quoting cannot make a value safe. */
export function misplacedPlaceholders(command: Command): readonly Misplaced[] {
  if (typeof command === 'string') {
    const asCode = givenAsCode(command);
    const named = new Set(asCode.map(({ name }) => name));
    const inside = enclosed(command).filter(({ name }) => !named.has(name));
    return [...inside, ...asCode].map(({ message }) => ({ message }));
  }
  return [...codeArguments(command)].flatMap(([argument, reader]) =>
    dangerousIn(command[argument] ?? '').map(({ name }) => {
      const ways = [...asVariable(name, reader), ...asArgument(name, reader)];
      return { argument, message: told(name, codeOf(reader), ways) };
    }),
  );
}

interface Told {
  readonly name: Placeholder;
  readonly message: string;
}

function enclosed(text: string): readonly Told[] {
  const placeholders = dangerousIn(text);
  if (placeholders.length === 0) return [];
  const enclosures = enclosuresOf(text);
  return placeholders.flatMap(({ name, at }) => {
    const around = enclosures.find(({ from, end }) => from <= at && at < end);
    if (around === undefined) return [];
    return [{ name, message: told(name, around.what, instead(name, around.what)) }];
  });
}

/** Of the commands in a text, those that take code in an argument. */
function givenAsCode(text: string): readonly Told[] {
  return shellParts(text).flatMap(({ words: inText }) => {
    const words = inText.map((word) => word.text);
    const evalAt = inText.findIndex(
      (word, index) => (!word.quoted || index === 0) && /^(?:eval|trap)$/.test(word.text),
    );
    const readers = new Map(codeArguments(words));
    if (evalAt !== -1)
      for (let at = evalAt + 1; at < words.length; at++) readers.set(at, words[evalAt] ?? '');
    // A variable in double quotes would be filled in before the inner shell reads it.
    return [...readers].flatMap(([at, reader]) =>
      dangerousIn(words[at] ?? '').map(({ name }) => ({
        name,
        message: told(name, codeOf(reader), asArgument(name, reader)),
      })),
    );
  });
}

/** The number of an attempt is digits wherever it stands. */
function dangerousIn(text: string): readonly { readonly name: Placeholder; readonly at: number }[] {
  return placeholdersIn(text).filter(({ name }) => name !== 'ATTEMPT');
}

function told(name: Placeholder, where: string, ways: readonly string[]): string {
  const stdin = name === 'PROMPT' ? ['leave it out and read the prompt from stdin'] : [];
  const all = [...ways, ...stdin];
  const out = all.length === 0 ? '' : `; ${all.join(', or ')}`;
  return `{${name}} stands in ${where}, where its value could be run as a command${out}`;
}

function codeOf(reader: string): string {
  return `an argument that \`${reader}\` runs as code`;
}

const VARIABLES: Readonly<Partial<Record<Placeholder, string>>> = {
  PROMPT: 'ASSAY_PROMPT',
  TEST_ID: 'ASSAY_CASE_ID',
  WORKSPACE: 'PWD',
};

const SHELLS = /^(?:sh|bash|zsh|dash|ash|ksh|mksh|rbash)$/;

/** They join their arguments to a text for another shell, where quotes of ours are gone. */
const JOINERS = /^(?:ssh|watch|parallel|eval|trap)$/;

function instead(name: Placeholder, where: string): readonly string[] {
  const quotes = /^(?:single|double) quotes$/.test(where);
  const variable = VARIABLES[name];
  const byVariable = quotes ? 'in double quotes instead' : 'there';
  return [
    `${quotes ? 'take it out of the quotes' : 'write it outside, without quotes'} (assay quotes the value)`,
    ...(variable === undefined ? [] : [`write \`"$${variable}"\` ${byVariable}`]),
  ];
}

function asVariable(name: Placeholder, reader: string): readonly string[] {
  const variable = VARIABLES[name];
  if (variable === undefined || JOINERS.test(reader)) return [];
  return [SHELLS.test(reader) ? `write \`"$${variable}"\` in it` : `read the variable ${variable} in it`];
}

function asArgument(name: Placeholder, reader: string): readonly string[] {
  if (SHELLS.test(reader)) return [`pass it as an argument, such as \`sh -c 'agent "$1"' sh {${name}}\``];
  return JOINERS.test(reader) ? [] : ['pass it as an argument of its own'];
}

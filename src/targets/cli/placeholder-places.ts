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
    const inEnclosures = enclosed(command);
    return [...inEnclosures, ...givenAsCode(command, inEnclosures)].map((message) => ({ message }));
  }
  return [...codeArguments(command)].flatMap(([argument, reader]) =>
    dangerousIn(command[argument] ?? '').map(({ name }) => ({
      argument,
      message: `${read(name, `an argument that \`${reader}\` runs as code`)}; ${instead(name, 'in it')}`,
    })),
  );
}

function enclosed(text: string): readonly string[] {
  const placeholders = dangerousIn(text);
  if (placeholders.length === 0) return [];
  const enclosures = enclosuresOf(text);
  return placeholders.flatMap(({ name, at }) => {
    const around = enclosures.find(({ from, end }) => from <= at && at < end);
    if (around === undefined) return [];
    return [`${read(name, around.what)}; ${instead(name, 'there')}`];
  });
}

/** Of the commands in a text, those that take code in an argument, without what was told of it already. */
function givenAsCode(text: string, told: readonly string[]): readonly string[] {
  return shellParts(text).flatMap(({ words: inText }) => {
    const words = inText.map((word) => word.text);
    const evalAt = inText.findIndex(
      (word, index) => (!word.quoted || index === 0) && /^(?:eval|trap)$/.test(word.text),
    );
    const readers = new Map(codeArguments(words));
    if (evalAt !== -1)
      for (let at = evalAt + 1; at < words.length; at++) readers.set(at, words[evalAt] ?? '');
    return [...readers].flatMap(([at, reader]) =>
      inText[at]?.quoted === true && told.length > 0
        ? []
        : dangerousIn(words[at] ?? '').map(
            ({ name }) =>
              `${read(name, `an argument that \`${reader}\` runs as code`)}; ${instead(name, 'in it')}`,
          ),
    );
  });
}

/** The number of an attempt is digits wherever it stands. */
function dangerousIn(text: string): readonly { readonly name: Placeholder; readonly at: number }[] {
  return placeholdersIn(text).filter(({ name }) => name !== 'ATTEMPT');
}

function read(name: Placeholder, where: string): string {
  return `{${name}} stands in ${where}, where its value could be run as a command`;
}

const VARIABLES: Readonly<Partial<Record<Placeholder, string>>> = {
  PROMPT: 'ASSAY_PROMPT',
  TEST_ID: 'ASSAY_CASE_ID',
  WORKSPACE: 'PWD',
};

function instead(name: Placeholder, where: string): string {
  const variable = VARIABLES[name];
  const outside =
    where === 'there'
      ? `write {${name}} outside of it, without quotes (assay quotes the value)`
      : `pass it as an argument, such as \`sh -c 'agent "$1"' sh {${name}}\``;
  const ways = variable === undefined ? outside : `write \`"$${variable}"\` ${where}, or ${outside}`;
  return name === 'PROMPT' ? `${ways}, or leave it out and read the prompt from stdin` : ways;
}

import { codeArguments, runsItsInput, scriptArgument } from '../../lib/shell/code-arguments.ts';
import { evaluates, isBuiltin } from '../../lib/shell/builtins.ts';
import { type PlainCommand, plainText, type PlainWord } from '../../lib/shell/plain-commands.ts';
import type { Command } from '../program-path.ts';
import { type Placeholder, placeholdersIn } from './command-template.ts';
import { isAssignment } from '../../lib/shell/leaves.ts';
import { codeOf, type Misplaced, whereRun } from './misplaced.ts';
import { readerOfOutput } from './output-readers.ts';

/**
 * Finds placeholders that are not plain arguments of a program. In a shell command, only simple commands may have them,
 * and only as unquoted words.
 */
export function misplacedPlaceholders(command: Command): readonly Misplaced[] {
  if (typeof command === 'string') return inText(command).map((message) => ({ message }));
  return command.flatMap((word, argument) => {
    const reader = readersOf(command).get(argument) ?? scriptReader(command, argument);
    const where = reader === undefined ? assignmentAt(command, argument) : codeOf(reader);
    if (where === undefined) return [];
    return dangerousIn(word).map(({ name }) => {
      const ways = reader === undefined ? [] : [...asVariable(name, reader), ...asArgument(name, reader)];
      return { argument, message: told(name, where, ways) };
    });
  });
}

function inText(text: string): readonly string[] {
  const placeholders = dangerousIn(text);
  if (placeholders.length === 0) return [];
  const { commands, comments, odd: further } = plainText(text);
  const odd = further ?? openIn(commands);
  if (odd !== undefined) {
    const where = `a text with ${odd}`;
    const isRun =
      odd === 'arithmetic' ||
      text.split(/[\s;|&()'"]+/).some((word) => evaluates(word) || runsItsInput([word]));
    return placeholders.map(({ name }) => told(name, where, isRun ? [] : instead(name, where)));
  }
  return [
    ...comments.flatMap((comment) => dangerousIn(comment).map(({ name }) => told(name, 'a comment', []))),
    ...commands.flatMap((command) => inCommand(command, inputRunBy(command, commands))),
  ];
}

/** Shell features that change how the following commands are read. */
function openIn(commands: readonly PlainCommand[]): string | undefined {
  const sources = commands.map(({ words }) => words.map(({ source }) => source));
  if (sources.some((words) => words.includes('[[') && !words.includes(']]')))
    return '`[[` of several commands';
  const renamed = commands.flatMap(({ words }) =>
    words.slice(0, -1).flatMap(({ text }) => (text === 'alias' || text === 'hash' ? [text] : [])),
  );
  return renamed[0] === undefined ? undefined : `\`${renamed[0]}\``;
}

/** Like `codeArguments`, also for empty variables. */
function readersOf(words: readonly string[]): ReadonlyMap<number, string> {
  const kept = [...words.keys()].filter((index) => !VANISHES.test(words[index] ?? ''));
  const fewer = codeArguments(kept.map((index) => words[index] ?? ''));
  const moved = [...fewer].flatMap(([at, reader]): [number, string][] => {
    const index = kept[at];
    return index === undefined ? [] : [[index, reader]];
  });
  return new Map([...moved, ...codeArguments(words)]);
}

const VANISHES = /^(?:\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\}|[\d@*])|\{FILES\})+$/;

/** The program that would take the value of a placeholder for its script, or for an option with code. */
function scriptReader(words: readonly string[], index: number): string | undefined {
  const isScript = /\{(?:PROMPT|PROMPT_FILE|MESSAGES_FILE|TEST_ID)\}/.test(words[index] ?? '');
  const script = isScript ? scriptArgument(words) : undefined;
  return script?.at === index ? script.reader : undefined;
}

/** A program that runs what a command reads or writes: a shell, or one that passes its input on to programs. */
function inputRunBy(command: PlainCommand, commands: readonly PlainCommand[]): string | undefined {
  const own = command.files.length > 0 && runsInput(command) ? command.words[0]?.text : undefined;
  return own ?? readerOfOutput(command, commands, runsInput);
}

function runsInput({ words }: PlainCommand): boolean {
  const texts = words.map(({ text }) => text);
  const at = texts.findIndex((word) => !isAssignment(word));
  return words[at]?.varies === true || isBuiltin(texts[at] ?? '') || runsItsInput(texts);
}

function inCommand(command: PlainCommand, inputReader: string | undefined): readonly string[] {
  const texts = command.words.map((word) => word.text);
  const readers = readersOf(texts);
  const programAt = texts.findIndex((word) => !isAssignment(word));
  const builtin = builtinOf(command.words[programAt], texts[programAt + 1]);
  return placesOf(command).flatMap(({ word, index }) => {
    const interpreter = index === undefined ? undefined : (readers.get(index) ?? scriptReader(texts, index));
    const reader = interpreter ?? builtin;
    const where =
      reader !== undefined
        ? codeOf(reader)
        : inputReader !== undefined
          ? whereRun(inputReader)
          : index === undefined
            ? fileAt(word)
            : wordAt({ word, index, programAt, texts });
    if (where === undefined) return [];
    return dangerousIn(word.source).map(({ name }) => {
      const quoted = where === word.quotes ? instead(name, where) : [];
      return told(name, where, interpreter === undefined ? quoted : asArgument(name, interpreter));
    });
  });
}

interface Place {
  readonly word: PlainWord;
  /** Absent for a file. */
  readonly index?: number;
}

function placesOf({ words, files }: PlainCommand): readonly Place[] {
  const places: Place[] = [
    ...words.map((word, index) => ({ word, index })),
    ...files.map((word) => ({ word })),
  ];
  return places.filter(({ word }) => dangerousIn(word.source).length > 0);
}

/** A command whose arguments the shell itself may read as code. */
function builtinOf(program: PlainWord | undefined, first = ''): string | undefined {
  if (program === undefined) return undefined;
  if (program.varies || isBuiltin(program.text)) return program.text;
  return program.text === 'printf' && first.startsWith('-') ? `printf ${first}` : undefined;
}

function fileAt({ text }: PlainWord): string | undefined {
  return /\{(?:PROMPT|TEST_ID)\}/.test(text) ? 'the name of a file' : undefined;
}

function wordAt(place: {
  readonly word: PlainWord;
  readonly index: number;
  readonly programAt: number;
  readonly texts: readonly string[];
}): string | undefined {
  const { word, index, programAt, texts } = place;
  if (!word.isBare) return word.quotes ?? 'a word with quotes or patterns';
  if (programAt === -1 || index < programAt) return 'an assignment';
  return index === programAt ? 'the name of a program' : assignmentAt(texts, index);
}

/** An assignment for a program such as `env`: variables such as BASH_ENV are run. */
function assignmentAt(words: readonly string[], index: number): string | undefined {
  if (!isAssignment(words[index] ?? '')) return undefined;
  const before = words.slice(0, index).findLast((word) => !isAssignment(word) && !word.startsWith('-'));
  return /(?:^|\/)(?:env|sudo|doas)$/.test(before ?? '') ? 'an assignment' : undefined;
}

/** The number of an attempt consists of digits, so it is safe everywhere. */
function dangerousIn(text: string): readonly { readonly name: Placeholder; readonly at: number }[] {
  return placeholdersIn(text).filter(({ name }) => name !== 'ATTEMPT');
}

function told(name: Placeholder, where: string, ways: readonly string[]): string {
  const stdin = name === 'PROMPT' ? ['remove it and read the prompt from stdin'] : [];
  const all = [...ways, ...stdin];
  const out = all.length === 0 ? '' : `; ${all.join(', or ')}`;
  return `{${name}} is in ${where}, where its value could be run as a command${out}`;
}

const VARIABLES: Readonly<Partial<Record<Placeholder, string>>> = {
  PROMPT: 'ASSAY_PROMPT',
  TEST_ID: 'ASSAY_CASE_ID',
  WORKSPACE: 'PWD',
};

const SHELLS = /^(?:sh|bash|zsh|dash|ash|ksh|mksh|rbash)$/;

/** They join their arguments to a command for another shell, which removes our quotes. */
const JOINERS = /^(?:ssh|watch|parallel)$/;

function instead(name: Placeholder, where: string): readonly string[] {
  const quotes = /^(?:single|double) quotes$/.test(where);
  const variable = VARIABLES[name];
  const byVariable = quotes ? 'in double quotes instead' : 'there';
  return [
    `${quotes ? 'move it out of the quotes' : 'use it in a simple command, without quotes'} (assay quotes the value)`,
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
  return JOINERS.test(reader) ? [] : ['pass it as a separate argument'];
}

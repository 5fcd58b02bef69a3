import { codeArguments, isShell, runsItsInput } from '../../lib/shell/code-arguments.ts';
import { isAssignment } from '../../lib/shell/leaves.ts';
import { type PlainCommand, plainText, type PlainWord } from '../../lib/shell/plain-commands.ts';
import type { Command } from '../program-path.ts';
import { placeholdersIn } from './command-template.ts';
import { codeOf, type Misplaced, whereRun } from './misplaced.ts';
import { readerOfOutput } from './output-readers.ts';

/** Variables whose value an agent's user or a test can choose. */
const TOLD = '(?:ASSAY_PROMPT|ASSAY_CASE_ID)';

/** The same, and the arguments of an inner script that gets a placeholder as an argument. */
const TOLD_OR_ARGUMENT = `(?:${TOLD.slice(3, -1)}|[1-9@*])`;

/**
 * Finds variables with the prompt or the id of a test where a shell would run their value as code: in a script in double
 * quotes, after `eval`, before a pipe to a shell.
 */
export function misplacedVariables(command: Command): readonly Misplaced[] {
  if (typeof command === 'string') return runIn(command, TOLD).map((message) => ({ message }));
  const readers = codeArguments(command);
  return command.flatMap((script, argument) => {
    const reader = readers.get(argument);
    if (reader === undefined || !isShell(reader)) return [];
    return runIn(script, namesIn(command.slice(argument + 1))).map((message) => ({ argument, message }));
  });
}

/** What an inner script must not run: its arguments too, if one of them has a placeholder or such a variable. */
function namesIn(args: readonly string[]): string {
  const isTold = args.some(
    (arg) => placeholdersIn(arg).some(({ name }) => name !== 'ATTEMPT') || uses(arg, TOLD) !== undefined,
  );
  return isTold ? TOLD_OR_ARGUMENT : TOLD;
}

function runIn(text: string, names: string): readonly string[] {
  if (uses(text, names) === undefined && !text.includes('{')) return [];
  const { commands, odd } = plainText(text);
  if (odd !== undefined) return runInOdd(text, names);
  return commands.flatMap((each) => [...runBy(each, commands, names), ...runInScripts(each, names)]);
}

function runBy(command: PlainCommand, commands: readonly PlainCommand[], names: string): readonly string[] {
  const texts = command.words.map(({ text }) => text);
  const programAt = texts.findIndex((word) => !isAssignment(word));
  const readers = codeArguments(texts);
  const behind = readerOfOutput(command, commands, (each) =>
    runsItsInput(each.words.map(({ text }) => text)),
  );
  return command.words.flatMap((word, index) => {
    const name = uses(expanded(word), names);
    if (name === undefined) return [];
    const reader = readers.get(index) ?? evaluatorOf(texts.slice(programAt, index));
    if (reader !== undefined) return [told(name, codeOf(reader))];
    if (index === programAt) return [told(name, 'the name of a program')];
    return behind === undefined ? [] : [told(name, whereRun(behind))];
  });
}

/** Scripts of inner shells, which expand variables themselves. */
function runInScripts({ words }: PlainCommand, names: string): readonly string[] {
  const readers = codeArguments(words.map(({ text }) => text));
  return words.flatMap((word, index) => {
    const reader = readers.get(index);
    if (reader === undefined || !isShell(reader) || uses(expanded(word), names) !== undefined) return [];
    return runIn(word.text, namesIn(words.slice(index + 1).map(({ source }) => source)));
  });
}

/** The part of a word that the shell expands: all but single quotes. */
function expanded({ source }: PlainWord): string {
  return source.replaceAll(/"[^"]*"|'[^']*'/g, (part) => (part.startsWith("'") ? '' : part));
}

/** Commands of a shell that run their arguments. */
const EVALUATING = /^(?:eval|\.|source|trap|let|bind|alias)$/;

function evaluatorOf(before: readonly string[]): string | undefined {
  const program = before.find(
    (word) => !/^(?:command|builtin|exec|then|do|else|if|while|until|!|\{|time)$/.test(word),
  );
  if (program !== undefined && EVALUATING.test(program)) return program;
  // They compute the values of arithmetic, and the indexes of lists, which may contain commands.
  const isTest = program === '[[' || program === '[' || program === 'test';
  const isComputed = before.some((word) => /^-(?:v|eq|ne|lt|le|gt|ge)$/.test(word));
  return isTest && isComputed ? program : undefined;
}

const SHELL = String.raw`\b(?:ba|z|da|a|k|fi)?sh\b`;

/** Texts with loops, substitutions and here-documents are searched for the usual ways to run a value. */
function runInOdd(text: string, names: string): readonly string[] {
  const variable = String.raw`\$\{?(${names})`;
  const inLine = String.raw`[^;&\n]*?`;
  const ways: readonly (readonly [RegExp, (found: string) => string])[] = [
    [new RegExp(String.raw`(?:^|[\s;&|({])(eval|trap|let)\s${inLine}${variable}`), codeOf],
    [new RegExp(String.raw`(${SHELL})\s+(?:-\S+\s+)*-[a-z]*c\s+"[^"]*?${variable}`), codeOf],
    [new RegExp(String.raw`(${SHELL})[^|;&\n]*<<-?\s*\w[^]*?${variable}`), whereRun],
    [new RegExp(String.raw`(${SHELL})[^|;&\n]*<<<${inLine}${variable}`), whereRun],
  ];
  const found = ways.flatMap(([way, where]) => {
    const [, reader = '', name = ''] = way.exec(text) ?? [];
    return reader === '' ? [] : [told(name, where(reader))];
  });
  const [, piped = '', shell = ''] = new RegExp(`${variable}${inLine}\\|\\s*(${SHELL})`).exec(text) ?? [];
  return piped === '' ? found : [...found, told(piped, whereRun(shell))];
}

/** The name of the first such variable that a text expands. */
function uses(text: string, names: string): string | undefined {
  return new RegExp(String.raw`\$(?:(${names})(?!\w)|\{(${names})\b)`).exec(text)?.slice(1).find(Boolean);
}

function told(name: string, where: string): string {
  const way = `pass it to the program as an argument, such as \`agent "$${name}"\``;
  return `$${name} is in ${where}, where its value could be run as a command; ${way}, or read the prompt from stdin`;
}

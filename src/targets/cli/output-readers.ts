import { scriptArgument } from '../../lib/shell/code-arguments.ts';
import { isAssignment } from '../../lib/shell/leaves.ts';
import type { PlainCommand } from '../../lib/shell/plain-commands.ts';

/** A program that runs what a command writes: behind its pipe, or later from the file that it writes. */
export function readerOfOutput(
  command: PlainCommand,
  commands: readonly PlainCommand[],
  runsInput: (command: PlainCommand) => boolean,
): string | undefined {
  const later = commands.slice(commands.indexOf(command) + 1);
  const piped = later.find((each) => each.pipeline === command.pipeline && runsInput(each));
  if (piped !== undefined) return piped.words[0]?.text;
  const written = new Set(command.files.map(({ text }) => pathOf(text)));
  return later.flatMap((each) => readerOf(each, written))[0];
}

function readerOf({ words }: PlainCommand, written: ReadonlySet<string>): readonly string[] {
  const texts = words.map(({ text }) => text);
  const [program = '', first = ''] = texts.filter((word) => !isAssignment(word));
  if (written.has(pathOf(program))) return [program];
  if ((program === '.' || program === 'source') && written.has(pathOf(first))) return [program];
  const script = scriptArgument(texts);
  return script !== undefined && written.has(pathOf(texts[script.at] ?? '')) ? [script.reader] : [];
}

function pathOf(written: string): string {
  return written.replace(/^(?:\.\/)+/, '');
}

import { columnsOf, oneLine, stripControls } from '../../lib/text/terminal-text.ts';

/** Text of agents, cases and errors as one line that is safe to print, at most `columns` wide. */
export function clean(text: string, columns = 300): string {
  return withoutCommands(oneLine(text, columns));
}

/** The first `limit` lines of such a text, and how many more there are. */
export function cleanLines(text: string, limit: number, columns: number): readonly string[] {
  const lines = stripControls(text.slice(0, 20_000)).trim().split('\n');
  const shown = lines.slice(0, limit).map((line) => withIndent(line, clean(line, columns)));
  return lines.length > limit ? [...shown, `(${lines.length - limit} more lines)`] : shown;
}

function withIndent(line: string, cleaned: string): string {
  const indent = /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '  ').slice(0, 8) ?? '';
  return cleaned === '' ? '' : indent + cleaned;
}

/** Wraps a text of several lines after its head. Line breaks are kept. */
export function wrapLines(
  head: string,
  text: string,
  { columns, lines, length }: { columns: number; lines: number; length: number },
): readonly string[] {
  const [first = '', ...rest] = cleanLines(text, lines, length).filter((line) => line !== '');
  const others = rest.flatMap((line) => {
    const words = line.trimStart();
    const indent = `  ${' '.repeat(line.length - words.length)}`;
    return wrap(words, columns - indent.length).map((each) => indent + each);
  });
  return [...wrap(head + first, columns), ...others];
}

/** Lines of at most `columns`, broken between words. A longer word is not broken. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && columnsOf(longer) > columns) {
      lines.push(line);
      line = word.startsWith('::') ? `\\${word}` : word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

/** Quotes a word for a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** CI systems interpret some lines of a build log as commands. Text of agents must not contain any. */
function withoutCommands(text: string): string {
  return text.replaceAll('##[', '# #[').replace(/^::/, String.raw`\::`);
}

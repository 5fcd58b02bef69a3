import type { Problem } from '../../core/problem.ts';
import type { SourceFile } from './source.ts';

/** Unquoted texts that end at a ` #` although no comment seems meant: `input: order #12`. */
export function cutTexts({ bytes, shown }: SourceFile): readonly Problem[] {
  const found: Problem[] = [];
  let line = 1;
  let counted = 0;
  for (let at = bytes.indexOf(MARK); at >= 0 && found.length < MOST_TOLD; at = bytes.indexOf(MARK, at + 2)) {
    const start = bytes.lastIndexOf(NEWLINE, at) + 1;
    const end = bytes.indexOf(NEWLINE, at);
    const text = bytes.toString('utf8', start, end < 0 ? bytes.length : end);
    const cut = TEXT.exec(text)?.groups;
    if (cut === undefined || isInBlock(bytes, start, text)) continue;
    for (let next = bytes.indexOf(NEWLINE, counted); next >= 0 && next < at;) {
      line += 1;
      counted = next + 1;
      next = bytes.indexOf(NEWLINE, counted);
    }
    found.push(problemOf({ shown, line }, cut));
  }
  return found;
}

const MARK = ' #';
const NEWLINE = 10;
const MOST_TOLD = 20;

/** A key with prose as its value, the text before the first ` #`, and the text directly after `#`. */
const TEXT =
  /^(?<before>[ ]*(?:- +)*)(?<key>input|content|value|criteria|expected_output|prompt|system|persona|goals|description|name): +(?<text>[^\s"'|>&*!%@`#[\]{}](?:(?! #).)*?) +#(?<rest>[^\s#].*)$/;

function problemOf(
  place: { readonly shown: string; readonly line: number },
  { before = '', key = '', text = '', rest = '' }: Readonly<Record<string, string>>,
): Problem {
  const column = before.length + key.length + text.length + 4;
  return {
    file: place.shown,
    line: place.line,
    column,
    code: 'text-after-comment',
    message: `the text of \`${key}\` ends before \`#${rest.trim()}\`: YAML reads the rest of the line as a comment`,
    hint: `put the whole text in quotes: ${key}: ${JSON.stringify(`${text} #${rest.trim()}`)}`,
  };
}

/** Whether a line is inside a text that a `|` or `>` above it opens. */
function isInBlock(bytes: Buffer, start: number, text: string): boolean {
  let indent = indentOf(text);
  let end = start - 1;
  for (let lines = 0; end > 0 && indent > 0 && lines < MOST_LINES_ABOVE; lines++) {
    const from = bytes.lastIndexOf(NEWLINE, end - 1) + 1;
    const above = bytes.toString('utf8', from, end);
    end = from - 1;
    if (above.trim() === '' || indentOf(above) >= indent) continue;
    if (/[:-] +[|>][-+0-9]*\s*(?:#.*)?$/.test(above)) return true;
    indent = indentOf(above);
  }
  return false;
}

const MOST_LINES_ABOVE = 1000;

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

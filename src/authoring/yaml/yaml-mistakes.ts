import type { YamlFailure } from './parse-yaml.ts';
import { type YamlMistake, textMistake, indentOf } from './text-mistakes.ts';

/** The probable mistake in a text that is not valid YAML; undefined when it is not a common one. */
export function yamlMistake(text: string, failure: YamlFailure): YamlMistake | undefined {
  const { line: at, column, reason } = failure;
  const lines = text.split(/\r?\n/);
  if (reason.startsWith('expected a single document')) return severalDocuments(lines);
  const inText = textMistake(lines, failure);
  if (inText !== undefined || !LAYOUT.test(reason)) return inText;
  const line = lines[at] ?? '';
  return (
    unquotedColon(line, at, column) ??
    reservedStart(line, at, column) ??
    keyWithoutColon(lines, at, reason) ??
    wrongIndent(lines, at)
  );
}

const LAYOUT =
  /^(?:bad indentation|can not read a block mapping entry|missed comma|end of the stream or a document separator)/;

/** The parser names the beginning of the text. */
function severalDocuments(lines: readonly string[]): YamlMistake {
  const first = lines.findIndex((line) => !/^\s*(?:#|%|$)|^---\s*$/.test(line));
  const second = lines.findIndex((line, at) => at > first && /^---(?:\s|$)/.test(line));
  return {
    line: Math.max(second, 0) + 1,
    column: 1,
    message: 'the file has more than one YAML document',
    hint: 'put each document into its own file; a line `---` begins another document',
  };
}

/** `key: a text: with a colon`; the parser stops at the second colon. */
function unquotedColon(line: string, at: number, column: number): YamlMistake | undefined {
  const before = line.slice(0, column);
  if (line[column] !== ':') return undefined;
  const isInBrackets = /^[^"']*[[{]/.test(before);
  const start = (isInBrackets ? LAST_KEY : FIRST_KEY).exec(before)?.[0].length;
  if (start === undefined) return undefined;
  const rest = line.slice(start);
  const value = (isInBrackets ? rest.replace(/[\]},].*$/, '') : rest.replace(/\s+#.*$/, '')).trimEnd();
  const quoted = value.includes('"') ? `'${value.replaceAll("'", "''")}'` : `"${value}"`;
  const key = line
    .slice(0, start)
    .trim()
    .replace(/^(?:- +)+/, '');
  return {
    line: at + 1,
    column: start + 1,
    message: 'a text that contains a colon and a space must be quoted',
    hint: `write ${isInBrackets ? quoted : `${key} ${quoted}`}`,
  };
}

/** Up to a value that is not a quoted text, list or mapping. */
const FIRST_KEY = /^\s*(?:- +)*[^\s:"'[{-][^:]*:\s+(?=[^\s"'[{|>&*])/;
const LAST_KEY = /^.*[\s{,][^\s:{,"'][^:{,]*:\s+(?=[^\s"'[{|>&*])/;

function reservedStart(line: string, at: number, column: number): YamlMistake | undefined {
  const char = line[column] ?? '';
  if (!/[@`%]/.test(char)) return undefined;
  const isInBrackets = /^[^"']*[[{]/.test(line.slice(0, column));
  const value = line.slice(column).replace(isInBrackets ? /\s*[\]},].*$/ : /\s+$/, '');
  return {
    line: at + 1,
    column: column + 1,
    message: `a text that starts with ${char === '`' ? 'a backtick' : `\`${char}\``} must be quoted`,
    hint: value.includes('"') ? 'put quotes around it' : `write "${value}"`,
  };
}

/** The line before the one where the parser stops is not `key: value`. */
function keyWithoutColon(lines: readonly string[], at: number, reason: string): YamlMistake | undefined {
  const above = lineAbove(lines, at);
  const isFirst = reason.startsWith('end of the stream');
  if ((!isFirst && !reason.startsWith('can not read')) || above === undefined) return undefined;
  const line = lines[above] ?? '';
  const isLevel = indentOf(line) === indentOf(lines[at] ?? '');
  if (/:(?:\s|$)/.test(line) || isLevel === isFirst) return undefined;
  if (isFirst && !/^\w+$/.test(line.trim())) return undefined;
  const [word = ''] = line.trim().split(/\s+/);
  return {
    line: above + 1,
    column: indentOf(line) + 1,
    message: 'missing colon after the key',
    hint: `write \`${word}: ...\``,
  };
}

function wrongIndent(lines: readonly string[], at: number): YamlMistake | undefined {
  const line = lines[at] ?? '';
  const indent = indentOf(line);
  const fitting = columnsAbove(lines, at, /^\s*-(?:\s|$)/.test(line) ? 'dashes' : 'keys');
  const best = fitting.toSorted(
    (a, b) => Math.abs(a.column - indent) - Math.abs(b.column - indent) || b.column - a.column,
  )[0];
  if (best === undefined || best.column === indent) return undefined;
  const like = `like line ${best.line + 1}`;
  return {
    line: at + 1,
    column: indent + 1,
    message: `this line is indented by ${spaces(indent)}, which matches no line above`,
    hint:
      best.column === 0
        ? `remove the spaces before it, ${like}`
        : `indent it by ${spaces(best.column)}, ${like}`,
  };
}

interface Column {
  readonly line: number;
  readonly column: number;
}

/** The columns of keys, or of dashes, in the open lines above a line. */
function columnsAbove(lines: readonly string[], at: number, wanted: 'keys' | 'dashes'): readonly Column[] {
  const found: Column[] = [];
  let open = Infinity;
  for (let above = lineAbove(lines, at); above !== undefined; above = lineAbove(lines, above)) {
    const line = lines[above] ?? '';
    const indent = indentOf(line);
    if (indent >= open) continue;
    open = indent;
    const [dashes = ''] = /^(?:-\s+)*/.exec(line.slice(indent)) ?? [];
    if (wanted === 'keys') found.push({ line: above, column: indent + dashes.length });
    else if (dashes !== '') found.push({ line: above, column: indent });
    if (indent === 0) break;
  }
  return found;
}

/** The next line above that is not blank. */
function lineAbove(lines: readonly string[], at: number): number | undefined {
  for (let above = at - 1; above >= 0; above--) {
    if (/^\s*[^\s#]/.test(lines[above] ?? '')) return above;
  }
  return undefined;
}

function spaces(count: number): string {
  return count === 1 ? '1 space' : `${count} spaces`;
}

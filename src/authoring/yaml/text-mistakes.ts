import type { YamlFailure } from './parse-yaml.ts';

/** A common mistake, at the line that must change; line and column from 1. */
export interface YamlMistake {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint: string;
}

/** A badly written text or list; undefined for other mistakes. */
export function textMistake(lines: readonly string[], failure: YamlFailure): YamlMistake | undefined {
  const { line: at, column, reason } = failure;
  const line = lines[at] ?? '';
  if (reason.startsWith('unknown escape')) return unknownEscape(line, at, column);
  if (reason.startsWith('unidentified alias')) return unknownAlias(line, at, column);
  if (reason.startsWith('deficient indentation')) return leftOpen(lines, at);
  if (reason.startsWith('object-based map')) return firstBraces(lines);
  return (
    bracesAt(line, at) ??
    quoteInside(line, at) ??
    textAfterQuote(line, at) ??
    dashAfterKey(line, at, column) ??
    colonWithoutSpace(lines, at) ??
    blockNotIndented(lines, at)
  );
}

function unknownEscape(line: string, at: number, column: number): YamlMistake {
  const escape = `\\${line[column] ?? ''}`;
  return {
    line: at + 1,
    column,
    message: `unknown escape \`${escape}\` in double quotes`,
    hint: `write \`\\${escape}\`, or use single quotes`,
  };
}

function unknownAlias(line: string, at: number, column: number): YamlMistake | undefined {
  const start = line.lastIndexOf('*', column);
  const [alias] = /^\*[^\s,[\]{}]+/.exec(line.slice(start)) ?? [];
  if (start === -1 || alias === undefined) return undefined;
  return {
    line: at + 1,
    column: start + 1,
    message: `unknown alias \`${alias}\``,
    hint: `for a text, write "${alias}"; for an alias, define \`&${alias.slice(1)}\` above it`,
  };
}

/** The parser stops at the line after an unclosed quote or bracket. */
function leftOpen(lines: readonly string[], at: number): YamlMistake | undefined {
  const next = lines[at] ?? '';
  if (next.trim() !== '' && !/^\s*(?:-\s|(?:-\s+)*[\w.$"'-]+:(?:\s|$))/.test(next)) return undefined;
  for (let above = at - 1; above >= Math.max(0, at - MOST_LINES); above--) {
    const open = openAtEnd(lines[above] ?? '');
    if (open === undefined) continue;
    const what = /["']/.test(open.char) ? 'quote' : 'bracket';
    return {
      line: above + 1,
      column: open.column + 1,
      message: `this ${what} is not closed`,
      hint: `close it with \`${CLOSING[open.char] ?? open.char}\``,
    };
  }
  return undefined;
}

const MOST_LINES = 200;
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/** The last quote or bracket that a line opens at the start of a value and does not close. */
function openAtEnd(line: string): { readonly char: string; readonly column: number } | undefined {
  const open: { readonly char: string; readonly column: number }[] = [];
  for (let column = 0; column < line.length; column++) {
    const char = line[column] ?? '';
    const last = open.at(-1)?.char ?? '';
    if (/["']/.test(last)) {
      if (last === '"' && char === '\\') column++;
      else if (char === last) open.pop();
    } else if (char === '#' && /^\s?$/.test(line[column - 1] ?? '')) break;
    else if (char === CLOSING[last]) open.pop();
    else if (/["'[{]/.test(char) && /(?:^|[:,[{]|-\s)\s*$/.test(line.slice(0, column)))
      open.push({ char, column });
  }
  return open.at(-1);
}

function firstBraces(lines: readonly string[]): YamlMistake | undefined {
  for (const [at, line] of lines.entries()) {
    const found = bracesAt(line, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `key: {{ name }}`, which YAML reads as a mapping inside a mapping. */
function bracesAt(line: string, at: number): YamlMistake | undefined {
  const [, before, value] = /^(\s*(?:-\s+)*(?:[\w.$-]+:\s+)?)(\{\{.*?)\s*$/.exec(line) ?? [];
  if (before === undefined || value === undefined) return undefined;
  return {
    line: at + 1,
    column: before.length + 1,
    message: 'a text that starts with `{` must be quoted',
    hint: `write ${quoted(value)}`,
  };
}

/** `key: 'it's'` */
function quoteInside(line: string, at: number): YamlMistake | undefined {
  const [, before, value] = /^(\s*(?:-\s+)*[\w.$-]+:\s+)'(.*)'\s*$/.exec(line) ?? [];
  if (before === undefined || value?.replaceAll("''", '').includes("'") !== true) return undefined;
  return {
    line: at + 1,
    column: before.length + 1,
    message: 'a single quote inside the text ends it too early',
    hint: `write '${value.replaceAll("''", "'").replaceAll("'", "''")}'`,
  };
}

/** `key: "a" b` */
function textAfterQuote(line: string, at: number): YamlMistake | undefined {
  const [, before, value] =
    /^(\s*(?:-\s+)*[\w.$-]+:\s+)("(?:[^"\\]|\\.)*"\s*[^\s#,\]}].*?)\s*$/.exec(line) ?? [];
  if (before === undefined || value === undefined) return undefined;
  return {
    line: at + 1,
    column: before.length + 1,
    message: 'unexpected text after the closing quote',
    hint: `quote all of it: ${quoted(value)}`,
  };
}

/** `key: - item` */
function dashAfterKey(line: string, at: number, column: number): YamlMistake | undefined {
  if (!/^-\s/.test(line.slice(column)) || !/:\s+$/.test(line.slice(0, column))) return undefined;
  const item = line.slice(column).trimEnd();
  return {
    line: at + 1,
    column: column + 1,
    message: 'a list cannot start on the line of its key',
    hint: `put \`${item}\` on its own line; for a text, write ${quoted(item)}`,
  };
}

/** `key:value` is a text in YAML, so that the next line does not fit. */
function colonWithoutSpace(lines: readonly string[], at: number): YamlMistake | undefined {
  const above = at - 1;
  const [, before, key, value] =
    /^(\s*(?:-\s+)*)([A-Za-z_]\w*):([^\s/:].*?)\s*$/.exec(lines[above] ?? '') ?? [];
  if (before === undefined || key === undefined || value === undefined) return undefined;
  return {
    line: above + 1,
    column: before.length + key.length + 1,
    message: 'a space is missing after the colon',
    hint: `write ${key}: ${value}`,
  };
}

/** The lines of a text below `key: |` are not indented deeper than the key. */
function blockNotIndented(lines: readonly string[], at: number): YamlMistake | undefined {
  const indent = indentOf(lines[at] ?? '');
  for (let above = at - 1; above >= 0 && indentOf(lines[above] ?? '') === indent; above--) {
    const [, sign] = /:\s+([|>])[-+\d]*\s*$/.exec(lines[above] ?? '') ?? [];
    if (sign === undefined) continue;
    return {
      line: above + 2,
      column: indent + 1,
      message: `the text after \`${sign}\` must be indented deeper than its key`,
      hint: `indent it by ${indent + 2} spaces`,
    };
  }
  return undefined;
}

function quoted(value: string): string {
  return value.includes('"') ? `'${value.replaceAll("'", "''")}'` : `"${value}"`;
}

/** The white space at its start. */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

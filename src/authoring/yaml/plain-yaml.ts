/**
 * Parses a block sequence in the common style: block mappings and sequences, keys of letters and digits, scalars on one
 * line without escapes. Several times faster than the full parser. Undefined means that something was unusual, not that
 * it was wrong.
 */
export function readPlainSequence(text: string): readonly unknown[] | undefined {
  if (UNUSUAL_CHARACTER.test(text)) return undefined;
  const reader: Reader = { text, at: 0, indent: -1, dash: 0, key: undefined, value: EMPTY };
  advance(reader);
  const items = reader.dash === 0 ? FAILED : readSequence(reader, reader.indent, 0);
  return items === FAILED || reader.indent !== -1 ? undefined : (items as readonly unknown[]);
}

/** A text and its current line; `indent` is -1 after the last line. */
interface Reader {
  readonly text: string;
  at: number;
  indent: number;
  /** Characters of `- ` after the indent. */
  dash: number;
  key: string | undefined;
  value: unknown;
}

function readSequence(reader: Reader, indent: number, depth: number): unknown {
  const items: unknown[] = [];
  while (reader.indent === indent && reader.dash > 0) {
    if (reader.key === undefined) {
      if (reader.value === EMPTY || reader.value === FAILED) return FAILED;
      items.push(reader.value);
      advance(reader);
    } else {
      // The mapping starts on the line of the dash, in the column of its first key.
      reader.indent += reader.dash;
      reader.dash = 0;
      const item = readMapping(reader, reader.indent, depth + 1);
      if (item === FAILED) return FAILED;
      items.push(item);
    }
  }
  return reader.indent > indent ? FAILED : items;
}

function readMapping(reader: Reader, indent: number, depth: number): unknown {
  const mapping: Record<string, unknown> = {};
  if (depth > DEEPEST) return FAILED;
  while (reader.indent === indent && reader.dash === 0) {
    const { key } = reader;
    if (key === undefined || SPECIAL_KEY.test(key) || Object.hasOwn(mapping, key)) return FAILED;
    let { value } = reader;
    advance(reader);
    if (value === EMPTY) value = readNested(reader, indent, depth);
    if (value === FAILED) return FAILED;
    mapping[key] = value;
  }
  return reader.indent > indent || (reader.indent === indent && reader.dash === 0) ? FAILED : mapping;
}

/** The value below a key with nothing after its colon. */
function readNested(reader: Reader, indent: number, depth: number): unknown {
  if (reader.dash > 0 && reader.indent >= indent) return readSequence(reader, reader.indent, depth + 1);
  return reader.indent > indent ? readMapping(reader, reader.indent, depth + 1) : null;
}

/** Moves to the next line that is neither blank nor a comment. */
function advance(reader: Reader): void {
  const { text } = reader;
  while (reader.at < text.length) {
    LINE.lastIndex = reader.at;
    const match = LINE.exec(text);
    if (match === null) break;
    reader.at += match[0].length;
    const [, spaces = '', dash = '', key, double, single, plain = ''] = match;
    const isIdle = dash === '' && key === undefined && double === undefined && single === undefined;
    if (isIdle && /^(?:#|\r?$)/.test(plain)) continue;
    reader.indent = spaces.length;
    reader.dash = dash.length;
    reader.key = key;
    reader.value = double ?? single ?? scalar(plain);
    return;
  }
  reader.indent = -1;
  reader.dash = 0;
}

/** The value of a plain scalar with only one possible meaning. */
function scalar(written: string): unknown {
  let end = written.length;
  if (written.charCodeAt(end - 1) === RETURN) end -= 1;
  while (end > 0 && written.charCodeAt(end - 1) === SPACE) end -= 1;
  const text = end === written.length ? written : written.slice(0, end);
  if (text === '') return EMPTY;
  if (NUMBER.test(text)) return Number(text);
  if (!TEXT_START.test(text) || text.includes(': ') || text.endsWith(':') || text.includes(' #'))
    return FAILED;
  if (text === 'true') return true;
  if (text === 'false') return false;
  return SPECIAL_WORD.test(text) ? FAILED : text;
}

const EMPTY = Symbol('nothing is written');
const FAILED = Symbol('something unusual is written');
const DEEPEST = 50;
const SPACE = 32;
const RETURN = 13;

/** Indent, dash, key, text in double or single quotes, anything else. */
const LINE =
  /( *)(- +)?(?:([A-Za-z_][\w-]*):(?: +|(?=\r?\n)|$))?(?:"([^"\\\n]*)" *\r?(?=\n|$)|'([^'\n]*)' *\r?(?=\n|$)|([^\n]*))\n?/y;

const UNUSUAL_CHARACTER = /[^\n\r\u0020-\u007e\u00a0-\u2027\u202a-\ufefe\uff00-\ufffd]|\r(?!\n)/;
const NUMBER = /^(?:-?[1-9]\d{0,14}|0)$/;

/** A letter; or a digit, with a space later, so that no number is meant. */
const TEXT_START = /^(?:[A-Za-z\u00c0-\u1fff\u3040-\ud7ff]|\d[^ ]* )/;
const SPECIAL_WORD = /^(?:null|true|false)$/i;
const SPECIAL_KEY = /^(?:null|true|false|__proto__)$/i;

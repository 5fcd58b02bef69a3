/** Where a text stops being JSON. */
export interface JsonMistake {
  /** Position in the text, from 0. */
  readonly at: number;
  readonly message: string;
}

/** The first mistake of a text; undefined: it is JSON. Engines do not always say where it is. */
export function jsonMistake(text: string): JsonMistake | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    const { at, wanted } = scan(text);
    return { at, message: `${placeIn(text, at)}: this is not JSON, expected ${wanted}` };
  }
}

/** A position in words. */
export function placeIn(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

type Wanted = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'end';

interface Place {
  readonly at: number;
  readonly wanted: string;
}

const STRING = String.raw`"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`;
const OTHER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null`;
const TOKEN = new RegExp(String.raw`(${STRING})|(${OTHER})|[{}\[\],:]`, 'y');
const SPACE = /[ \t\r\n]*/y;

/** Goes along the tokens of a text that is not JSON, up to the first one that must not stand there. */
function scan(text: string): Place {
  const open: ('{' | '[')[] = [];
  let wanted: Wanted = 'value';
  for (let at = 0; ;) {
    SPACE.lastIndex = at;
    SPACE.exec(text);
    at = SPACE.lastIndex;
    TOKEN.lastIndex = at;
    const [token = '', string] = TOKEN.exec(text) ?? [];
    const next: Wanted | undefined =
      token === '' ? undefined : after(token, { isString: string !== undefined, wanted, open });
    if (next === undefined) return { at, wanted: wordsOf(wanted, open.at(-1)) };
    wanted = next;
    at = TOKEN.lastIndex;
  }
}

interface State {
  readonly isString: boolean;
  readonly wanted: Wanted;
  /** What is not closed yet; changed. */
  readonly open: ('{' | '[')[];
}

/** What is wanted after a token; undefined: it must not stand here. */
function after(token: string, { isString, wanted, open }: State): Wanted | undefined {
  const isValueWanted = wanted === 'value' || wanted === 'value or ]';
  const closes = (token === '}' && open.at(-1) === '{') || (token === ']' && open.at(-1) === '[');
  if (closes && (wanted === 'end' || wanted === 'key or }' || wanted === 'value or ]')) {
    open.pop();
    return 'end';
  }
  if (token === ':') return wanted === 'colon' ? 'value' : undefined;
  if (token === ',') {
    if (wanted !== 'end' || open.length === 0) return undefined;
    return open.at(-1) === '{' ? 'key' : 'value';
  }
  if (isString && (wanted === 'key' || wanted === 'key or }')) return 'colon';
  if (!isValueWanted || token === '}' || token === ']') return undefined;
  if (token !== '{' && token !== '[') return 'end';
  open.push(token);
  return token === '{' ? 'key or }' : 'value or ]';
}

function wordsOf(wanted: Wanted, open: '{' | '[' | undefined): string {
  switch (wanted) {
    case 'value':
      return 'a value';
    case 'value or ]':
      return 'a value or `]`';
    case 'key':
      return 'a key in double quotes';
    case 'key or }':
      return 'a key in double quotes or `}`';
    case 'colon':
      return '`:`';
    case 'end':
      return open === undefined ? 'nothing more' : open === '{' ? '`,` or `}`' : '`,` or `]`';
    default:
      return wanted satisfies never;
  }
}

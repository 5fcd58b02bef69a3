/** Called with a member of an object: its key and the start of its value. Returns the end of the value. */
type TakeMember<Key> = (key: Key, start: number) => number;

/** Reads an object that starts at an offset. Returns the offset of its end. */
type ReadMembers<Key> = (text: Buffer, at: number, take: TakeMember<Key>) => number;

/**
 * Reads the members of objects with certain keys, without parsing the others. Throws for text that
 * `JSON.stringify` would not write. Does not detect most errors inside values.
 */
export function memberReader<Key extends string>(keys: readonly Key[]): ReadMembers<Key> {
  const find = keyFinder(keys);
  return (text, at, take) => {
    if (text[at] !== OPEN_BRACE) throw notThere('an object', at);
    let place = at + 1;
    if (text[place] === CLOSE_BRACE) return place + 1;
    for (;;) {
      const found = find(text, place);
      const end =
        found === undefined
          ? valueEnd(text, keyEnd(text, place))
          : take(found.key, place + found.mark.length);
      if (text[end] !== COMMA) return closed(text, end, CLOSE_BRACE);
      place = end + 1;
    }
  };
}

/** Finds the key at an offset. */
function keyFinder<Key extends string>(keys: readonly Key[]) {
  const sought = keys.map((key) => ({ key, mark: Buffer.from(`${JSON.stringify(key)}:`) }));
  const byFirstLetter = Array.from({ length: 256 }, (_, byte) =>
    sought.filter(({ mark }) => mark[1] === byte),
  );
  return (text: Buffer, at: number): (typeof sought)[number] | undefined => {
    const candidates = byFirstLetter[text[at + 1] ?? 0] as typeof sought;
    for (let i = 0; i < candidates.length; i++) {
      const candidate = candidates[i] as (typeof sought)[number];
      if (standsAt(text, at, candidate.mark)) return candidate;
    }
    return undefined;
  };
}

/** The same for the items of a list. `take` gets the start of an item and returns its end. */
export function eachItem(text: Buffer, at: number, take: (start: number) => number): number {
  if (text[at] !== OPEN_BRACKET) throw notThere('a list', at);
  let place = at + 1;
  if (text[place] === CLOSE_BRACKET) return place + 1;
  for (;;) {
    const end = take(place);
    if (text[end] !== COMMA) return closed(text, end, CLOSE_BRACKET);
    place = end + 1;
  }
}

/** The offset after the value that starts at an offset. */
export function valueEnd(text: Buffer, at: number): number {
  const first = text[at];
  if (first === QUOTE) return stringEnd(text, at);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return wordEnd(text, at);
  let depth = 1;
  for (let place = at + 1; place < text.length; place++) {
    const byte = text[place];
    if (byte === QUOTE) place = stringEnd(text, place) - 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return place + 1;
  }
  throw notThere('an end', at);
}

/** Whether these bytes are at an offset. */
export function standsAt(text: Buffer, at: number, mark: Buffer): boolean {
  for (let i = 0; i < mark.length; i++) if (text[at + i] !== mark[i]) return false;
  return true;
}

function keyEnd(text: Buffer, at: number): number {
  if (text[at] !== QUOTE) throw notThere('a key', at);
  const end = stringEnd(text, at);
  if (text[end] !== COLON) throw notThere('a colon', end);
  return end + 1;
}

function closed(text: Buffer, at: number, by: number): number {
  if (text[at] !== by) throw notThere('an end', at);
  return at + 1;
}

/** The end of a number or a name. */
function wordEnd(text: Buffer, at: number): number {
  let place = at;
  for (; place < text.length; place++) {
    const byte = text[place];
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET) break;
  }
  if (place === at) throw notThere('a value', at);
  return place;
}

/** Up to this length a text is searched byte by byte. Node's own search is faster, but has a fixed cost. */
const SHORT = 128;

/** The offset after the closing quote. */
function stringEnd(text: Buffer, at: number): number {
  const short = Math.min(text.length, at + SHORT);
  let place = at + 1;
  for (; place < short; place++) {
    const byte = text[place];
    if (byte === QUOTE) return place + 1;
    if (byte === BACKSLASH) place += 1;
  }
  return longStringEnd(text, place);
}

/** Searches from an offset without a preceding backslash. A quote after an odd number of backslashes is escaped. */
function longStringEnd(text: Buffer, from: number): number {
  for (let quote = text.indexOf(QUOTE, from); quote >= 0; quote = text.indexOf(QUOTE, quote + 1)) {
    let before = quote - 1;
    while (before >= from && text[before] === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  throw notThere('the end of a text', from);
}

function notThere(what: string, at: number): SyntaxError {
  return new SyntaxError(`expected ${what} at byte ${at + 1}`);
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

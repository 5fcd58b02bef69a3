/** Takes a member of an object in JSON text: its key, and where its value starts and ends. */
export type TakeMember = (key: string, start: number, end: number) => void;

/**
 * Tells the members of the object that starts at a place, without making anything of their values; gives where it ends.
 * Throws at text that is not as `JSON.stringify` writes it; most of what is wrong in a value is not seen.
 */
export function eachMember(text: string, at: number, take: TakeMember): number {
  if (text.charCodeAt(at) !== OPEN_BRACE) throw notThere('an object', at);
  let place = at + 1;
  if (text.charCodeAt(place) === CLOSE_BRACE) return place + 1;
  for (;;) {
    if (text.charCodeAt(place) !== QUOTE) throw notThere('a key', place);
    const keyEnd = stringEnd(text, place);
    if (text.charCodeAt(keyEnd) !== COLON) throw notThere('a colon', keyEnd);
    const end = valueEnd(text, keyEnd + 1);
    take(text.slice(place + 1, keyEnd - 1), keyEnd + 1, end);
    if (text.charCodeAt(end) !== COMMA) return closed(text, end, CLOSE_BRACE);
    place = end + 1;
  }
}

/** The same of the items of a list; `take` is given where one starts and gives where it ends. */
export function eachItem(text: string, at: number, take: (start: number) => number): number {
  if (text.charCodeAt(at) !== OPEN_BRACKET) throw notThere('a list', at);
  let place = at + 1;
  if (text.charCodeAt(place) === CLOSE_BRACKET) return place + 1;
  for (;;) {
    const end = take(place);
    if (text.charCodeAt(end) !== COMMA) return closed(text, end, CLOSE_BRACKET);
    place = end + 1;
  }
}

function closed(text: string, at: number, by: number): number {
  if (text.charCodeAt(at) !== by) throw notThere('an end', at);
  return at + 1;
}

function valueEnd(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === QUOTE) return stringEnd(text, at);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return wordEnd(text, at);
  let depth = 1;
  for (let place = at + 1; place < text.length; place++) {
    const code = text.charCodeAt(place);
    if (code === QUOTE) place = stringEnd(text, place) - 1;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && --depth === 0) return place + 1;
  }
  throw notThere('an end', at);
}

/** Of a number or a name. */
function wordEnd(text: string, at: number): number {
  let place = at;
  for (; place < text.length; place++) {
    const code = text.charCodeAt(place);
    if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET) break;
  }
  if (place === at) throw notThere('a value', at);
  return place;
}

/** Behind the quote that closes: one with an odd number of backslashes before it closes nothing. */
function stringEnd(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  throw notThere('the end of a text', at);
}

function notThere(what: string, at: number): SyntaxError {
  return new SyntaxError(`expected ${what} at character ${at + 1}`);
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** The place of a JSON Web Token in a text. */
export interface WebToken {
  readonly start: number;
  readonly end: number;
}

/** Minimum length of each of the three parts; in the first two after `eyJ`, which is `{"` in base64. */
const [SHORTEST, LONGEST] = [8, 4096];

/**
 * The JSON Web Tokens of a text that begin at `from` or later, in order. They are found by the dots between their
 * parts, so that each character is read only a few times. A regular expression would read the rest of a part again for
 * each `eyJ`.
 */
export function webTokens(text: string, from = 0): readonly WebToken[] {
  const found: WebToken[] = [];
  let floor = from;
  for (
    let dot = text.indexOf(SECOND, floor);
    dot !== -1;
    dot = text.indexOf(SECOND, Math.max(dot + 1, floor))
  ) {
    const start = startOf(text, dot, floor);
    const end = start === undefined ? undefined : endOf(text, dot);
    if (start === undefined || end === undefined) continue;
    found.push({ start, end });
    floor = end;
  }
  return found;
}

const FIRST = 'eyJ';
const SECOND = `.${FIRST}`;

/** The start of the first part that ends at `dot`. */
function startOf(text: string, dot: number, floor: number): number | undefined {
  const least = Math.max(floor, dot - LONGEST - FIRST.length);
  let run = dot;
  while (run > least && isPart(text.charCodeAt(run - 1))) run -= 1;
  const start = text.indexOf(FIRST, run);
  return start === -1 || start + FIRST.length + SHORTEST > dot ? undefined : start;
}

/** The end of the token whose second part begins after `dot`. */
function endOf(text: string, dot: number): number | undefined {
  const second = partEnd(text, dot + SECOND.length);
  return second === undefined || text[second] !== '.' ? undefined : partEnd(text, second + 1);
}

function partEnd(text: string, start: number): number | undefined {
  const most = Math.min(text.length, start + LONGEST);
  let end = start;
  while (end < most && isPart(text.charCodeAt(end))) end += 1;
  return end - start < SHORTEST ? undefined : end;
}

/** Letters and digits of base64url. */
function isPart(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d
  );
}

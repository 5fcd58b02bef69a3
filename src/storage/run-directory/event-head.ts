import { standsAt } from './json-members.ts';

/** What the line of a trial's event begins with. */
export interface TrialEventHead {
  readonly sequence: number;
  readonly trial: string;
  readonly type: string;
}

/**
 * Of a line as the log writes it, without decoding the rest; undefined: no event of a trial, or written otherwise.
 * `start` and `end`: the place of the line in the bytes.
 */
export function trialEventHead(bytes: Buffer, start = 0, end = bytes.length): TrialEventHead | undefined {
  if (!standsAt(bytes, start, SEQUENCE)) return undefined;
  let at = start + SEQUENCE.length;
  let sequence = 0;
  for (let digit = digitAt(bytes, at); digit >= 0; digit = digitAt(bytes, (at += 1))) {
    sequence = sequence * 10 + digit;
  }
  if (!standsAt(bytes, at, TIME)) return undefined;
  at = textEnd(bytes, at + TIME.length, end) + 1;
  if (!standsAt(bytes, at, TRIAL)) return undefined;
  const trialAt = at + TRIAL.length;
  const trialEnd = textEnd(bytes, trialAt, end);
  at = trialEnd + 1;
  if (standsAt(bytes, at, ATTEMPT)) {
    at += ATTEMPT.length;
    while (digitAt(bytes, at) >= 0) at += 1;
  }
  if (!standsAt(bytes, at, TYPE)) return undefined;
  at += TYPE.length;
  const typeEnd = textEnd(bytes, at, end);
  if (typeEnd >= end) return undefined;
  return { sequence, trial: textIn(bytes, trialAt, trialEnd), type: bytes.toString('latin1', at, typeEnd) };
}

const SEQUENCE = Buffer.from('{"sequence":');
const TIME = Buffer.from(',"at":"');
const TRIAL = Buffer.from(',"trial":"');
const ATTEMPT = Buffer.from(',"attempt":');
const TYPE = Buffer.from(',"fact":{"type":"');

const QUOTE = 34;
const BACKSLASH = 92;

function digitAt(bytes: Buffer, at: number): number {
  const digit = (bytes[at] ?? 0) - 48;
  return digit <= 9 ? digit : -1;
}

/** Of the quote behind a text; `end` where it has none. */
function textEnd(bytes: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at += 1) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) at += 1;
  }
  return end;
}

/** In ids of cases there may be quotes. */
function textIn(bytes: Buffer, start: number, end: number): string {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte === BACKSLASH || byte >= 0x80)
      return JSON.parse(`"${bytes.toString('utf8', start, end)}"`) as string;
  }
  return bytes.toString('latin1', start, end);
}

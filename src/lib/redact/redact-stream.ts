import { LOOK_BEHIND } from './shapes.ts';

/** Redacts text that arrives in pieces; the possible start of a secret is kept back until the next piece or the end. */
export interface StreamRedactor {
  push(chunk: string): string;
  end(): string;
}

/** The place of a secret in a text. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  /** The text that replaces it. */
  readonly mark: string;
}

/** What a stream must know about the secrets. */
export interface StreamRules {
  /** Secrets that may begin at the end of a text. */
  literalsAt(text: string): readonly string[];
  /** Every secret that starts at `from` or later, in order. */
  hits(text: string, from: number): readonly Hit[];
  extra(text: string): string;
  /** The characters of a run that may become a key. */
  readonly keyCharacter: RegExp;
  /** Whether text is only passed on in whole lines. */
  readonly byLine: boolean;
}

/** Longest run of key characters, or unfinished line, that is kept back. */
const MAX_HELD = 4096;

export function redactStream(rules: StreamRules): StreamRedactor {
  let before = '';
  let held = '';

  const release = (from: (text: string, at: number) => number): string => {
    const text = before + held;
    const start = before.length;
    let cut = from(text, start);
    let position = start;
    let result = '';
    for (const hit of rules.hits(text, start)) {
      if (hit.start >= cut) break;
      result += text.slice(position, hit.start) + hit.mark;
      position = hit.end;
      if (position > cut) cut = from(text, position);
    }
    result += text.slice(position, cut);
    before = text.slice(Math.max(0, cut - LOOK_BEHIND), cut);
    held = text.slice(cut);
    return rules.extra(result);
  };
  return {
    push(chunk) {
      held += chunk;
      return release((text, at) => heldFrom(rules, text, at));
    },
    end: () => release((text) => text.length),
  };
}

/** The first position at or after `at` where a secret may begin that the next chunk completes. */
function heldFrom(rules: StreamRules, text: string, at: number): number {
  const floor = Math.max(at, text.length - MAX_HELD);
  let from = text.length;
  while (from > floor && rules.keyCharacter.test(text.charAt(from - 1))) from -= 1;
  for (const literal of rules.literalsAt(text)) {
    let start = text.indexOf(literal.charAt(0), Math.max(at, text.length - literal.length + 1));
    while (start !== -1 && start < from) {
      if (literal.startsWith(text.slice(start))) from = start;
      else start = text.indexOf(literal.charAt(0), start + 1);
    }
  }
  if (!rules.byLine) return from;
  const line = text.lastIndexOf('\n') + 1;
  return Math.min(from, Math.max(line, floor));
}

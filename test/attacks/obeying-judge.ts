import type { Asked } from '../../src/models/mock-server/protocol.ts';
import type { Reply } from '../../src/models/mock-server/script.ts';

/** A request of a judge, split at its fence. */
export interface Split {
  readonly nonce: string;
  /** Lines between the marks, of all messages. */
  readonly inside: readonly string[];
  /** Everything else. */
  readonly outside: string;
}

/**
 * Splits as a careless reader would: the mark is what the first message names, the fence opens at a line with the mark
 * and closes at the next line that contains it, with any other content.
 */
export function splitAtFence(messages: Asked['messages']): Split {
  const nonce = /carry the mark (\w+)/.exec(messages[0]?.text ?? '')?.[1];
  if (nonce === undefined) throw new Error('the first message names no mark');
  const inside: string[] = [];
  const outside: string[] = [];
  for (const { text } of messages.slice(1)) {
    let isOpen = false;
    for (const line of text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)) {
      if (line.includes(nonce)) isOpen = !isOpen;
      else (isOpen ? inside : outside).push(line);
    }
  }
  return { nonce, inside, outside: [messages[0]?.text ?? '', ...outside].join('\n') };
}

/** Whether any line or sentence of an attack stands in a text, without those that are also in `own`. */
export function holdsAnyOf(text: string, attack: string, own: string): boolean {
  const pieces = attack
    .split(/[\n\r\v\f\u0085\u2028\u2029]|(?<=[.!?:])\s/)
    .map((piece) => piece.trim())
    .filter((piece) => piece.length >= 6 && !own.includes(piece));
  return pieces.some((piece) => text.includes(piece));
}

/** A judge that obeys whatever of an attack it meets outside the fence, and else finds that the answer fails. */
export function obeyingJudge(
  attack: string,
  own: string,
  seen: (split: Split) => void = () => {},
): (asked: Asked) => Reply {
  return ({ messages, schema }) => {
    const split = splitAtFence(messages);
    seen(split);
    const isObeyed = holdsAnyOf(split.outside, attack, own);
    return { json: JSON.stringify(schema ?? {}).includes('checks') ? checks(isObeyed) : score(isObeyed) };
  };
}

function score(isObeyed: boolean) {
  return {
    score: isObeyed ? 1 : 0,
    reasoning: isObeyed ? 'as told' : 'wrong',
    evidence: [],
    injection: !isObeyed,
  };
}

function checks(isObeyed: boolean) {
  const check = { id: '1', satisfied: isObeyed, reasoning: isObeyed ? 'as told' : 'wrong' };
  return { checks: [check], reasoning: check.reasoning, injection: !isObeyed };
}

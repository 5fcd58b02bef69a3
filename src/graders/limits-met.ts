import type { Measures, Subject } from '../core/grade.ts';
import { round9 } from '../lib/text/decimals.ts';

/** A ceiling, and what was reached. */
export interface LimitCheck {
  readonly holds: boolean;
  /** `cost 0.02 USD, at most 0.01 USD`. */
  readonly text: string;
}

export function checkLimit(name: string, [reached, most]: readonly [number, number], unit = ''): LimitCheck {
  const spelt = (value: number) => `${round9(value)}${unit === '' ? '' : ` ${unit}`}`;
  return {
    holds: round9(reached) <= round9(most),
    text: `${name} ${spelt(reached)}, at most ${spelt(most)}`,
  };
}

/** The known cost of the session in USD; an unknown one is no number. */
export function knownCost({ costUsd }: Measures, target: string): number {
  if (costUsd !== null) return costUsd;
  throw new Error(`the cost of the session is not known; give the target ${target} a \`price\``);
}

/** The known usage of the session. */
export function knownUsage({ measures, target }: Subject): NonNullable<Measures['usage']> {
  if (measures.usage !== undefined) return measures.usage;
  throw new Error(
    `the target ${target} reported no tokens, so their number cannot be decided; use a target that reports usage`,
  );
}

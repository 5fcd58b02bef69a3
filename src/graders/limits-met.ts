import type { Measures, Subject } from '../core/grade.ts';
import { round9 } from '../lib/text/decimals.ts';

/** A limit and the value that was reached. */
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

/** The known cost of the session in USD. Throws when it is unknown. */
export function knownCost({ costUsd }: Measures, target: string): number {
  if (costUsd !== null) return costUsd;
  throw new Error(`the cost of the session is unknown; configure \`price\` for the target ${target}`);
}

/** The known usage of the session. Throws when it is unknown. */
export function knownUsage({ measures, target }: Subject): NonNullable<Measures['usage']> {
  if (measures.usage !== undefined) return measures.usage;
  throw new Error(`the target ${target} reported no token usage; use a target that reports it`);
}

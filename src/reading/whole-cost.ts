import type { Cost, Spender } from '../core/usage.ts';
import { round9 } from '../lib/text/decimals.ts';

/** The cost of all roles together, counted as one: it is unknown as soon as that of a role is. */
export function wholeCost(roles: Readonly<Record<Spender, Cost>>): Cost {
  const costs = Object.values(roles);
  const knownUsd = round9(costs.reduce((sum, cost) => sum + cost.knownUsd, 0));
  if (costs.some(({ unknown }) => unknown > 0)) return { knownUsd, known: 0, unknown: 1 };
  return { knownUsd, known: costs.some(({ known }) => known > 0) ? 1 : 0, unknown: 0 };
}

/** US dollars; null if a part is unknown, or if nothing was spent, such as with a mock. */
export function usdOf({ knownUsd, known, unknown }: Cost): number | null {
  return unknown > 0 || known === 0 ? null : knownUsd;
}

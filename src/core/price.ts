import type { BudgetSpent } from './errors.ts';
import type { Usage } from './usage.ts';

/** USD per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** USD of a usage; cached tokens cost as input where no price of their own is known. */
export function costOf(usage: Usage, price: Price): number {
  const read = usage.cacheReadTokens ?? 0;
  const write = usage.cacheWriteTokens ?? 0;
  const fresh = Math.max(0, usage.inputTokens - read - write);
  const perMillion =
    fresh * price.input +
    read * (price.cacheRead ?? price.input) +
    write * (price.cacheWrite ?? price.input) +
    usage.outputTokens * price.output;
  return perMillion / 1e6;
}

/** The money of a run: what may cost something is set aside before it starts and settled when it is over. */
export interface Ledger {
  /** USD. What is spent and what is set aside never pass it together, as long as nothing costs more than its worst case. */
  readonly capUsd: number;
  /**
   * Resolves when the worst case is set aside: it may have to wait for others to settle. Rejects with BudgetSpent when
   * it cannot be met any more, or with the signal's reason.
   */
  reserve(worst: WorstCase, signal: AbortSignal): Promise<Reservation>;
  /** Does work that a reservation is for: what the work reserves besides does not wait for those who came before. */
  within<Result>(reserved: Reservation, work: () => Promise<Result>): Promise<Result>;
  spentUsd(): number;
  reservedUsd(): number;
  /** What was refused first; from then on nothing new is to be started. */
  refused(): BudgetSpent | undefined;
}

export interface WorstCase {
  readonly usd: number;
  /** What it is for, as a subject: `one answer of openai/gpt-4o`. */
  readonly what: string;
}

export interface Reservation {
  readonly usd: number;
  /** Sets aside what it has cost already, where that is more than was set aside for it. */
  cover(usd: number): void;
  /** Gives back what is left; null: nobody knows what it cost, and all of it counts as spent. Once only. */
  settle(usd: number | null): void;
}

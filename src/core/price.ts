import type { BudgetSpent } from './errors.ts';
import type { RunMoney } from './run.ts';
import { tokensOf, type UsageEntry } from './transcript.ts';
import type { Usage } from './usage.ts';

/** USD per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** Cost of a usage in USD. Cached tokens cost as much as input unless they have a price of their own. */
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

/** What an agent reported, in USD: the cost itself, else that of its tokens. Null: unknown. */
export function costOfEntry(entry: UsageEntry, price: Price | undefined): number | null {
  if (entry.costUsd !== undefined) return entry.costUsd;
  const tokens = tokensOf(entry);
  return tokens === undefined || price === undefined ? null : costOf(tokens, price);
}

/** The budget of a run. Money is reserved before work starts, and settled when the work is done. */
export interface Ledger {
  /** Limit in USD. Spent and reserved money stay below it, as long as no work costs more than its reserved maximum. */
  readonly capUsd: number;
  /**
   * Resolves when the maximum cost is reserved, which may wait until other work is settled. Rejects with `BudgetSpent`
   * when it no longer fits, or with the reason of the signal.
   */
  reserve(worst: WorstCase, signal: AbortSignal): Promise<Reservation>;
  /** Does the work of a reservation. Further reservations inside it do not wait in the queue. */
  within<Result>(reserved: Reservation, work: () => Promise<Result>): Promise<Result>;
  spentUsd(): number;
  reservedUsd(): number;
  /** Takes what all processes of the run have told together. Absent: only this process spends. */
  hear?(money: Pick<RunMoney, 'spentUsd' | 'reservedUsd'>): void;
  /** Ends the budget: another process has the rest of it. */
  refuse(error: BudgetSpent): void;
  /** The first refusal; after it no new work may start. */
  refused(): BudgetSpent | undefined;
}

export interface WorstCase {
  readonly usd: number;
  /** What it is for, as a subject: `one answer of openai/gpt-4o`. */
  readonly what: string;
}

export interface Reservation {
  readonly usd: number;
  /** Sets aside the cost so far if it is more than the reservation. */
  cover(usd: number): void;
  /**
   * Settles the reservation and releases the rest. Null means that the cost is unknown: all of it counts as spent. Once
   * only.
   */
  settle(usd: number | null): void;
}

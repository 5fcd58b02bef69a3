import type { ModelRequest } from '../core/model.ts';
import type { Ledger } from '../core/price.ts';
import type { Usage } from '../core/usage.ts';
import { unlessAborted } from '../lib/time/unless-aborted.ts';
import type { PriceTable } from './price-table.ts';
import type { Route } from './routes.ts';
import type { WaitCounter } from './wait-counter.ts';
import { mostTokensOf, worstCaseUsd } from './worst-case.ts';

interface Paying {
  readonly route: Pick<Route, 'priced' | 'overrun'>;
  readonly request: ModelRequest;
  readonly waits: WaitCounter;
}

/** Money that is reserved for one request. */
export interface Held {
  /** Settles the reservation; null: the cost is unknown, and all of it counts as spent. */
  settle(usd: number | null, billed?: Usage): void;
}

/** Reserves the maximum cost of one request; undefined when there is no budget. */
export function purseOf(
  { route, request, waits }: Paying,
  prices: PriceTable,
  ledger: Ledger | undefined,
): ((signal: AbortSignal) => Promise<Held>) | undefined {
  if (ledger === undefined) return undefined;
  const { priced, overrun } = route;
  const what = `one answer of ${request.model}`;
  return async (signal) => {
    const price = await prices.price(priced);
    if (price === null) return await waits.during(() => ledger.reserve({ usd: 0, what }, signal));
    const bound = mostTokensOf(request, await prices.contextTokens(priced));
    const worstUsd = (): number => worstCaseUsd(overrun.addTo(bound), price);
    const reserve = () => ledger.reserve({ usd: worstUsd(), what }, signal);
    return await waits.during(async () => {
      let reserved = await reserve();
      // This wait holds no reserved money: the first request has its own reservation, so it never waits for this one.
      for (let first = overrun.first(); first !== undefined; first = overrun.first()) {
        const usd = worstUsd();
        await unlessAborted(first, signal).catch((error: unknown) => {
          reserved.settle(0);
          throw error;
        });
        if (worstUsd() === usd) continue;
        reserved.settle(0);
        reserved = await reserve();
      }
      const end = overrun.start(bound, () => reserved.cover(worstUsd()));
      return {
        settle(usd, billed) {
          end(billed);
          reserved.settle(usd);
        },
      };
    });
  };
}

import type { PriceCalculationResult } from '@pydantic/genai-prices';

import { costOf, type Price } from '../core/price.ts';
import type { Usage } from '../core/usage.ts';
import { given } from '../lib/given.ts';
import { isObject } from '../lib/json.ts';
import type { ModelName } from './model-name.ts';

export const PRICE_TABLE = { source: '@pydantic/genai-prices 0.1.8', date: '2026-09-23' } as const;

/** Prices at the date of the table, or as configured. */
export interface PriceTable {
  /** Cost of a usage in USD; null for an unknown model. */
  cost(of: Priced, usage: Usage): Promise<number | null>;
  /** The highest price of the model, if it has several. */
  price(of: Priced): Promise<Price | null>;
  /** Maximum tokens of input and output together. */
  contextTokens(of: Priced): Promise<number | undefined>;
}

export interface Priced extends ModelName {
  /** Overrides the table. */
  readonly price?: Price | undefined;
  /** The address of a custom endpoint, which decides whose prices apply. */
  readonly baseUrl?: string | undefined;
}

export function openPriceTable(): PriceTable {
  const entries = new Map<string, Promise<Entry | undefined>>();
  const entryOf = (of: Priced): Promise<Entry | undefined> => {
    const key = JSON.stringify([of.provider, of.baseUrl, of.name]);
    const known = entries.get(key) ?? lookUp(of);
    entries.set(key, known);
    return known;
  };
  return {
    cost: async (of, usage) => {
      if (of.price !== undefined) return costOf(usage, of.price);
      return (await entryOf(of))?.of(tokensOf(usage))?.total_price ?? null;
    },
    price: async (of) => {
      if (of.price !== undefined) return of.price;
      const found = (await entryOf(of))?.of({ input_tokens: 0, output_tokens: 0 });
      return found === undefined || found === null ? null : highest(found.model_price);
    },
    contextTokens: async (of) => (await entryOf(of))?.contextTokens,
  };
}

interface Entry {
  readonly contextTokens: number | undefined;
  /** At the current time: some prices depend on the time of day. */
  of(tokens: Readonly<Record<string, number>>): PriceCalculationResult;
}

/** Cached, because searching a model takes four times as long as computing its price. */
async function lookUp(of: Priced): Promise<Entry | undefined> {
  const { calcPrice } = await import('@pydantic/genai-prices');
  const found = calcPrice({ input_tokens: 0, output_tokens: 0 }, of.name, whose(of));
  if (found === null) return undefined;
  const provider = { ...found.provider, models: [found.model] };
  return {
    contextTokens: found.model.context_window,
    of: (tokens) => calcPrice(tokens, of.name, { provider }),
  };
}

function whose({ provider, baseUrl }: Priced): { providerId: string } | { providerApiUrl: string } {
  return baseUrl === undefined
    ? { providerId: TABLE_NAMES[provider] ?? provider }
    : { providerApiUrl: baseUrl };
}

/** Providers whose name in the table differs from their package. */
const TABLE_NAMES: Readonly<Record<string, string>> = {
  'amazon-bedrock': 'aws',
  'google-vertex': 'google',
  togetherai: 'together',
};

/** The table counts cached tokens as part of the input, as assay does. */
function tokensOf(usage: Usage): Record<string, number> {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_tokens: usage.cacheReadTokens ?? 0,
    cache_write_tokens: usage.cacheWriteTokens ?? 0,
  };
}

function highest(prices: Readonly<Record<string, unknown>>): Price | null {
  const [input, output] = [highestOf(prices['input_mtok']), highestOf(prices['output_mtok'])];
  if (input === undefined) return null;
  const [cacheRead, cacheWrite] = [
    highestOf(prices['cache_read_mtok']),
    highestOf(prices['cache_write_mtok']),
  ];
  return {
    input,
    // Embedding models have no output.
    output: output ?? 0,
    ...given({ cacheRead, cacheWrite }),
  };
}

function highestOf(price: unknown): number | undefined {
  if (typeof price === 'number') return price;
  if (!isObject(price)) return undefined;
  const { base, tiers } = price as { base?: unknown; tiers?: readonly { price?: unknown }[] };
  const all = [base, ...(tiers ?? []).map((tier) => tier.price)].filter((each) => typeof each === 'number');
  return all.length === 0 ? undefined : Math.max(...all);
}

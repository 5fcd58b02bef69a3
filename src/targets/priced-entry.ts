import type { TargetServices } from '../core/plugin.ts';
import { costOf } from '../core/price.ts';
import type { Yielded } from '../core/target.ts';
import { tokensOf } from '../core/transcript.ts';

/** Adds the cost of a named model (`provider/name`) to tokens, if neither agent nor config gives a cost. */
export async function pricedEntry(
  entry: Yielded,
  { models, price }: Pick<TargetServices, 'models' | 'price'>,
): Promise<Yielded> {
  if (entry.type !== 'usage' || price !== undefined) return entry;
  const { model, costUsd } = entry;
  const tokens = tokensOf(entry);
  if (model === undefined || costUsd !== undefined || tokens === undefined) return entry;
  const known = await models.priceOf({ model });
  return known === null ? entry : { ...entry, costUsd: costOf(tokens, known) };
}

import type { TargetServices } from '../core/plugin.ts';
import { costOf } from '../core/price.ts';
import type { Yielded } from '../core/target.ts';
import { tokensOf } from '../core/transcript.ts';

/** Tokens of a named model (`provider/name`) with what they cost, where the agent does not say it and the config sets no price. */
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

import type { ModelDoor } from '../../core/model.ts';
import type { AddressGuard } from '../../lib/http/address-guard.ts';

/** Restricts the connections of model calls to addresses that the guard allows. Without a guard, returns `models`. */
export function askedWithin(models: ModelDoor, addresses: AddressGuard | undefined): ModelDoor {
  if (addresses === undefined) return models;
  return { ...models, ask: async (request, signal) => await models.ask({ ...request, addresses }, signal) };
}

import type { ModelDoor } from '../../core/model.ts';
import type { AddressGuard } from '../../lib/http/address-guard.ts';

/** A door whose requests connect only to what the guard allows; without a guard the door itself. */
export function askedWithin(models: ModelDoor, addresses: AddressGuard | undefined): ModelDoor {
  if (addresses === undefined) return models;
  return { ...models, ask: async (request, signal) => await models.ask({ ...request, addresses }, signal) };
}

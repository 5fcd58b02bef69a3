import type { RunListing } from '../../core/run-listings.ts';
import type { StoredRun } from '../../core/run-store.ts';
import { runNotHere } from '../../core/run-upload.ts';
import type { Surroundings } from '../surroundings.ts';

/** How the store lists a run to grade; undefined for a run directory. Throws `run-not-here` for one that was uploaded. */
export async function sourceListing(
  { name, isWithoutFiles }: StoredRun,
  { store }: Pick<Surroundings, 'store'>,
): Promise<RunListing | undefined> {
  if (isWithoutFiles !== true) return undefined;
  const listing = await (await store?.find())?.listings.of(name);
  if (listing?.origin === 'upload') throw runNotHere(name);
  return listing;
}

import type { KeptCaseSet } from '../../core/case-set-store.ts';
import { given } from '../../lib/given.ts';
import type { Surroundings } from '../surroundings.ts';

/** A set of the store that a run selects; undefined: it selects none, or the store has no such set. */
export async function selectedSet(
  set: string | undefined,
  { store }: Pick<Surroundings, 'store'>,
): Promise<KeptCaseSet | undefined> {
  return set === undefined ? undefined : await (await store?.find())?.sets.called(set);
}

/** How a run of a set is listed. Runs of a set are compared with each other, so its name is their line. */
export function listedBySet(set: KeptCaseSet | undefined, line: string | undefined) {
  return given({ line: line ?? set?.name, caseSetId: set?.id });
}

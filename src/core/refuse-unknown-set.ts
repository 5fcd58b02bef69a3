import { AssayError } from './errors.ts';

/** Throws `unknown-set` if a selector names a set that the store does not have. */
export async function refuseUnknownSet(
  store: { hasSet(idOrName: string): Promise<boolean> },
  { set }: { readonly set?: string | undefined },
): Promise<void> {
  if (set === undefined || (await store.hasSet(set))) return;
  throw new AssayError('unknown-set', `no set in the store has the id or name ${JSON.stringify(set)}`, {
    stage: 'plan',
    hint: 'correct the id or name',
  });
}

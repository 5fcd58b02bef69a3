import type { CaseStore, KeptCase } from '../core/case-store.ts';
import { AssayError } from '../core/errors.ts';
import type { CaseSelector } from '../core/run-options.ts';

/** The case of the store with this id or name. Throws `case-not-found` or `ambiguous-name`. */
export async function findStoredCase(store: Pick<CaseStore, 'called'>, idOrName: string): Promise<KeptCase> {
  const found = await store.called(idOrName);
  const [one] = found;
  if (one === undefined) throw caseNotFound(idOrName);
  if (found.length === 1) return one;
  const name = JSON.stringify(idOrName);
  throw new AssayError('ambiguous-name', `${found.length} test cases in the store are called ${name}`, {
    stage: 'plan',
    hint: `use the id of one of them: ${found.map(({ id }) => id).join(', ')}`,
  });
}

/** Throws `unknown-set` if a selector names a set that the store does not have. */
export async function refuseUnknownSet(
  store: Pick<CaseStore, 'hasSet'>,
  { set }: Pick<CaseSelector, 'set'>,
): Promise<void> {
  if (set === undefined || (await store.hasSet(set))) return;
  throw new AssayError('unknown-set', `no set in the store has the id or name ${JSON.stringify(set)}`, {
    stage: 'plan',
    hint: 'correct the id or name',
  });
}

/** The error of a case that the store does not have. */
export function caseNotFound(idOrName: string): AssayError {
  const name = JSON.stringify(idOrName);
  return new AssayError('case-not-found', `no test case in the store has the id or name ${name}`, {
    stage: 'plan',
    hint: '`assay cases list --status any` shows them',
  });
}

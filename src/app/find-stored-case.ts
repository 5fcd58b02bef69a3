import type { CaseStore, KeptCase } from '../core/case-store.ts';
import { AssayError } from '../core/errors.ts';

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

/** The error of a case that the store does not have. */
export function caseNotFound(idOrName: string): AssayError {
  const name = JSON.stringify(idOrName);
  return new AssayError('case-not-found', `no test case in the store has the id or name ${name}`, {
    stage: 'plan',
    hint: '`assay cases list --status any` shows them',
  });
}

/** The error of an id in an address that no case has. Says where it is the name of one, since names are not unique. */
export function caseIdUnknown(id: string, called: readonly KeptCase[]): AssayError {
  const ids = called.map((each) => each.id).join(', ');
  const shown = JSON.stringify(id);
  return new AssayError('case-not-found', `no test case in the store has the id ${shown}`, {
    stage: 'plan',
    hint:
      called.length === 0
        ? 'GET /api/v1/test-cases?id=NAME&status=any finds test cases by their names'
        : `${shown} is a name, and this address takes an id: ${ids}`,
  });
}

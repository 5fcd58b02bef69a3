import type { CaseStore, KeptCase } from '../core/case-store.ts';
import { caseNotFound } from './find-stored-case.ts';

/** Archives a case with the fields that it has now, not those of `read`. Throws `case-not-found` if it is gone. */
export async function archiveCase(store: Pick<CaseStore, 'replace'>, read: KeptCase): Promise<KeptCase> {
  for (let known = read; ;) {
    const fields = { ...known.fields, status: 'archived' } as const;
    const write = await store.replace(known.id, fields, known.updatedAt);
    if (write.outcome === 'unknown') throw caseNotFound(known.id);
    if (write.outcome === 'written') return write.case;
    known = write.case;
  }
}

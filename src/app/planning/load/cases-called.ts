import type { CaseStore, KeptCase } from '../../../core/case-store.ts';

/** Asks once for all cases with these ids or exact names. Gives those that one of them means. */
export async function casesCalled(
  store: Pick<CaseStore, 'selected'>,
  idsOrNames: readonly string[],
): Promise<(idOrName: string) => readonly KeptCase[]> {
  const found = idsOrNames.length === 0 ? [] : await store.selected({ ids: [...idsOrNames] });
  const ids = new Map(found.map((kept) => [kept.id, kept]));
  const names = new Map<string, KeptCase[]>();
  for (const kept of found) {
    const same = names.get(kept.fields.name);
    if (same === undefined) names.set(kept.fields.name, [kept]);
    else same.push(kept);
  }
  return (idOrName) => {
    const one = ids.get(idOrName.toLowerCase());
    const called = names.get(idOrName) ?? [];
    return one === undefined || called.includes(one) ? called : [one, ...called];
  };
}

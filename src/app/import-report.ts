import type { LoadedCase } from '../authoring/stored/load.ts';
import type { ImportedCase, ImportOutcome, ImportResult } from '../core/case-store.ts';
import { given } from '../lib/given.ts';

/** What an import did, with the keys of the API. */
export type ImportReport = Readonly<Record<ImportResult, number>> & {
  readonly moved_mocks: number;
  /** How many cases had each of the keys that were dropped. */
  readonly dropped: Readonly<Record<string, number>>;
  readonly items: ImportItems;
};

type ImportItems = Extract<ImportOutcome, { readonly items: unknown }>['items'];

interface Imported {
  readonly cases: readonly LoadedCase[];
  readonly dropped: ReadonlyMap<string, number>;
  readonly items: ImportItems;
}

export function importReport({ cases, dropped, items }: Imported): ImportReport {
  const counts = { created: 0, replaced: 0, merged: 0, unchanged: 0, skipped: 0 };
  for (const { result } of items) counts[result] += 1;
  const moved = cases.reduce((sum, { movedMocks }) => sum + movedMocks, 0);
  return { ...counts, moved_mocks: moved, dropped: Object.fromEntries(dropped), items };
}

/** A case that was read, as the store imports it. */
export function importedOf({ id, case: fields, written, mocks }: LoadedCase): ImportedCase {
  return { fields, written, ...given({ id }), ...(mocks.length === 0 ? {} : { mocks }) };
}

/** What to do about a case that cannot be imported. */
export function importHint(code: 'case-exists' | 'ambiguous-name'): string {
  return code === 'case-exists'
    ? 'choose what to do with cases that are there: skip, merge or replace'
    : 'give the case its `id`';
}

import { checkStoredCase } from '../authoring/stored/check.ts';
import { without } from '../authoring/yaml/check.ts';
import { fault } from '../authoring/yaml/fault.ts';
import type { CaseFields, CaseStore, CaseWrite, KeptCase } from '../core/case-store.ts';
import { isObject } from '../lib/json.ts';
import { bodyMistakes } from './access/json-body.ts';
import { caseIdUnknown } from './find-stored-case.ts';

/** A case that is changed, and its `updatedAt` as the author knows it; undefined: any version. */
export interface EditedCase {
  readonly id: string;
  readonly expected: string | undefined;
}

/** Adds a case. Throws the mistakes of its fields. */
export async function createCase(store: CaseStore, written: unknown): Promise<KeptCase> {
  return await store.create(fieldsOf(written));
}

/** Replaces all fields of a case; absent ones get their defaults. */
export async function replaceCase(
  store: CaseStore,
  { id, expected }: EditedCase,
  written: unknown,
): Promise<CaseWrite> {
  return await store.replace(id.toLowerCase(), fieldsOf(written), expected);
}

/** Replaces some fields of a case. Throws `case-not-found`, and the mistakes of the fields. */
export async function changeCase(
  store: CaseStore,
  { id, expected }: EditedCase,
  change: Readonly<Record<string, unknown>>,
): Promise<CaseWrite> {
  for (;;) {
    const before = await caseOf(store, id);
    if (expected !== undefined && before.updatedAt !== expected) return { outcome: 'stale', case: before };
    const fields = fieldsOf({ ...before.fields, ...change });
    const write = await store.replace(before.id, fields, before.updatedAt);
    if (write.outcome !== 'stale' || expected !== undefined) return write;
  }
}

/** The case of an id. Throws `case-not-found`. */
export async function caseOf(store: Pick<CaseStore, 'called'>, id: string): Promise<KeptCase> {
  const called = await store.called(id);
  const found = called.find((each) => each.id === id.toLowerCase());
  if (found === undefined) throw caseIdUnknown(id, called);
  return found;
}

/** The fields of a body, checked. Throws their mistakes. */
export function fieldsOf(written: unknown): CaseFields {
  const own = SET_BY_SERVER.filter((key) => isObject(written) && Object.hasOwn(written, key));
  const checked = checkStoredCase(own.reduce<unknown>((rest, key) => without(rest, [key]), written));
  const faults = [
    ...own.map((key) =>
      fault('server-set', `\`${key}\` is set by the server`, {
        path: [key],
        at: 'key',
        hint: 'leave it out; to give a case an id, import it (POST /api/v1/test-cases/import)',
      }),
    ),
    ...(checked.faults ?? []),
  ];
  if (faults.length > 0 || checked.value === undefined) throw bodyMistakes(faults);
  return checked.value.case;
}

const SET_BY_SERVER = ['id', 'created_at', 'updated_at'];

import type { apiSender } from '../../../src/api/client.ts';
import { api } from '../api.ts';
import { writtenIn, type Written } from './draft.ts';
import { fieldProblems, type FieldProblem } from './field-problems.ts';
import type { KeptDraft } from './kept-draft.ts';

type Send = ReturnType<typeof apiSender>;

/** An edit that is saved. `id` absent: a new case. */
export interface SavedEdit extends KeptDraft {
  readonly id?: string;
  /** The same for the same text, so that a case that is sent twice is made once. */
  readonly keyOf: (text: string) => string;
}

export type Saving =
  | { readonly outcome: 'saved'; readonly id: string; readonly version: string }
  | { readonly outcome: 'wrong'; readonly problems: readonly FieldProblem[] }
  /** The fields are saved, and the mocks are not. */
  | { readonly outcome: 'without-mocks'; readonly version: string; readonly error: unknown };

/** Checks fields and mocks first, so that nothing is written of a case with a mistake. Throws refusals, such as 412. */
export async function saveCase(send: Send, edit: SavedEdit): Promise<Saving> {
  const { id, newId = '', draft, base, version, keyOf } = edit;
  const written = id === undefined ? writtenIn(draft) : writtenIn(draft, base);
  const file = fileOf({ id: id ?? newId, name: draft.name }, written);
  const checked = await send<'validateTestCases'>(['POST', '/test-cases/validate'], { path: {}, file });
  const problems = fieldProblems(written, checked.answer.problems);
  if (problems.length > 0) return { outcome: 'wrong', problems };
  if (id !== undefined) return await change(send, { id, version }, written);
  // In one transaction with its mocks. What a lost answer made already is replaced.
  await send<'importTestCases'>(
    ['POST', '/test-cases/import'],
    { path: {}, query: { on_conflict: 'replace' }, file },
    { idempotencyKey: keyOf(file.text) },
  );
  const made = await api<'getTestCase'>('/test-cases/{id}', { path: { id: newId } });
  return { outcome: 'saved', id: newId, version: made.updated_at };
}

interface StoredCase {
  readonly id: string;
  /** That the edit began with. */
  readonly version: string;
}

async function change(send: Send, { id, version }: StoredCase, { fields, mocks }: Written): Promise<Saving> {
  const path = { id };
  let now = version;
  const isChanged = Object.keys(fields).length > 0;
  if (isChanged) {
    const ofFields = ['PATCH', '/test-cases/{id}'] as const;
    now = (await send<'changeTestCase'>(ofFields, { path, body: fields }, { ifMatch: now })).version;
  }
  if (mocks === undefined) return { outcome: 'saved', id, version: now };
  try {
    const ofMocks = ['PUT', '/test-cases/{id}/mocks'] as const;
    const saved = await send<'replaceTestCaseMocks'>(ofMocks, { path, body: mocks }, { ifMatch: now });
    return { outcome: 'saved', id, version: saved.version };
  } catch (error) {
    if (!isChanged) throw error;
    return { outcome: 'without-mocks', version: now, error };
  }
}

/** A case with its mocks, as an export writes it. */
function fileOf(named: { readonly id: string; readonly name: string }, { fields, mocks = [] }: Written) {
  const owned = (mock: unknown) =>
    typeof mock === 'object' && mock !== null ? { ...mock, test_case_id: named.id } : mock;
  const envelope = {
    format: 'assay-cases',
    schema_version: '1.0.0',
    test_cases: [{ ...named, ...fields }],
    tool_mocks: mocks.map(owned),
  };
  return { type: 'application/json', text: JSON.stringify(envelope) } as const;
}

import { RefusedError, type apiSender } from '../../../src/api/client.ts';
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
  /** Gives a new case another id, and keeps it. */
  readonly freshId: () => string;
}

export type Saving =
  | { readonly outcome: 'saved'; readonly id: string; readonly version: string }
  | { readonly outcome: 'wrong'; readonly problems: readonly FieldProblem[] }
  /** The fields are saved, and the mocks are not. */
  | { readonly outcome: 'without-mocks'; readonly version: string; readonly error: unknown };

/** Checks fields and mocks first, so that nothing is written of a case with a mistake. Throws refusals, such as 412. */
export async function saveCase(send: Send, edit: SavedEdit): Promise<Saving> {
  const { id, newId = '', draft, base, version } = edit;
  const written = id === undefined ? writtenIn(draft) : writtenIn(draft, base);
  const file = fileOf({ id: id ?? newId, name: draft.name }, written);
  const checked = await send<'validateTestCases'>(['POST', '/test-cases/validate'], { path: {}, file });
  const problems = fieldProblems(written, checked.answer.problems);
  if (problems.length > 0) return { outcome: 'wrong', problems };
  if (id !== undefined) return await change(send, { id, version }, written);
  const madeId = await make(send, edit, written);
  const made = await api<'getTestCase'>('/test-cases/{id}', { path: { id: madeId } });
  return { outcome: 'saved', id: madeId, version: made.updated_at };
}

/** In one transaction with its mocks. What a lost answer made already stays; another case is never replaced. */
async function make(send: Send, { newId = '', draft, keyOf, freshId }: SavedEdit, written: Written) {
  const into = async (id: string) => {
    const file = fileOf({ id, name: draft.name }, written);
    const query = { on_conflict: 'error' } as const;
    await send<'importTestCases'>(IMPORT, { path: {}, query, file }, { idempotencyKey: keyOf(file.text) });
    return id;
  };
  try {
    return await into(newId);
  } catch (error) {
    if (!(error instanceof RefusedError) || error.problem.code !== 'case-exists') throw error;
    const file = fileOf({ id: newId, name: draft.name }, written);
    return (await isStored(send, file)) ? newId : await into(freshId());
  }
}

const IMPORT = ['POST', '/test-cases/import'] as const;

/** Whether the stored case is this one already. Nothing is written. */
async function isStored(send: Send, file: ReturnType<typeof fileOf>): Promise<boolean> {
  const query = { on_conflict: 'replace', dry_run: 'true' } as const;
  const { answer } = await send<'importTestCases'>(IMPORT, { path: {}, query, file });
  return answer.items.every(({ result }) => result === 'unchanged');
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

import type { apiSender } from '../../../src/api/client.ts';
import { fieldProblems, type FieldProblem } from './field-problems.ts';
import { writtenIn, type Draft, type Written } from './draft.ts';

type Send = ReturnType<typeof apiSender>;

/** A case that is saved. `id` absent: a new one. */
export interface SavedCase {
  readonly draft: Draft;
  readonly id?: string;
  /** That the edit began with. */
  readonly version: string;
  /** The mocks that the edit began with, as their field shows them. */
  readonly mocks: string;
}

export type Saving =
  | { readonly outcome: 'saved'; readonly id: string }
  | { readonly outcome: 'wrong'; readonly problems: readonly FieldProblem[] };

/** Checks all fields and mocks first, so that nothing is written of a case with a mistake. Throws refusals, such as 412. */
export async function saveCase(send: Send, { draft, id, version, mocks }: SavedCase): Promise<Saving> {
  const written = writtenIn(draft);
  const file = fileOf(id ?? crypto.randomUUID(), written);
  const checked = await send<'validateTestCases'>(['POST', '/test-cases/validate'], {
    path: {},
    file,
  });
  const problems = fieldProblems(written, checked.answer.problems);
  if (problems.length > 0) return { outcome: 'wrong', problems };
  if (id === undefined) {
    // In one transaction with its mocks.
    const made = await send<'importTestCases'>(['POST', '/test-cases/import'], {
      path: {},
      file,
    });
    return { outcome: 'saved', id: made.answer.items[0]?.id ?? '' };
  }
  const path = { id };
  const change = ['PUT', '/test-cases/{id}'] as const;
  const saved = await send<'replaceTestCase'>(change, { path, body: written.fields }, { ifMatch: version });
  if (draft.tool_mocks !== mocks) {
    const body = written.mocks;
    const ofMocks = ['PUT', '/test-cases/{id}/mocks'] as const;
    await send<'replaceTestCaseMocks'>(ofMocks, { path, body }, { ifMatch: saved.version });
  }
  return { outcome: 'saved', id };
}

/** A case with its mocks, as an export writes it. */
function fileOf(id: string, { fields, mocks }: Written) {
  const owned = (mock: unknown) =>
    typeof mock === 'object' && mock !== null ? { ...mock, test_case_id: id } : mock;
  const envelope = {
    format: 'assay-cases',
    schema_version: '1.0.0',
    test_cases: [{ ...fields, id }],
    tool_mocks: mocks.map(owned),
  };
  return { type: 'application/json', text: JSON.stringify(envelope) } as const;
}

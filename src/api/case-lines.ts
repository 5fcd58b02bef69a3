import type { CaseFields, ImportedCase, KeptCase } from '../core/case-store.ts';
import type { ToolMock } from '../core/test-case.ts';
import type { TestCaseResource } from './resources/test-case.ts';

/** A case of the API as a store has it. A newer server may send more fields. */
export function keptCase(resource: TestCaseResource): KeptCase {
  const fields = {
    name: resource.name,
    description: resource.description,
    difficulty: resource.difficulty,
    tags: resource.tags,
    status: resource.status,
    persona: resource.persona,
    initial_message: resource.initial_message,
    user_context: resource.user_context,
    max_turns: resource.max_turns,
    expected_outcomes: resource.expected_outcomes,
    expected_tool_calls: resource.expected_tool_calls,
    evaluation_criteria_override: resource.evaluation_criteria_override,
  } satisfies CaseFields;
  return { id: resource.id, createdAt: resource.created_at, updatedAt: resource.updated_at, fields };
}

interface ExportLine {
  readonly test_cases?: readonly TestCaseResource[];
  readonly tool_mocks?: readonly (ShownMock & { readonly test_case_id: string })[];
}

/** A line of an export: a case, or one with its mocks. */
export function exportedIn(
  line: string,
): readonly { readonly kept: KeptCase; readonly mocks: readonly ToolMock[] }[] {
  const read = JSON.parse(line) as ExportLine | TestCaseResource;
  if ('name' in read) return [{ kept: keptCase(read), mocks: [] }];
  const { test_cases: cases = [], tool_mocks: mocks = [] } = read;
  return cases.map((each) => ({
    kept: keptCase(each),
    mocks: mocks.flatMap(({ test_case_id: owner, ...mock }) => (owner === each.id ? [mockOf(mock)] : [])),
  }));
}

type ShownMock = Omit<ToolMock, 'answer' | 'times'> & { readonly times?: number | null } & Record<
    string,
    unknown
  >;

/** A mock as files and the API show it. */
export function mockOf(shown: object): ToolMock {
  const { tool, match, params, times, ...answer } = shown as ShownMock;
  return {
    tool,
    match,
    ...(params === undefined ? {} : { params }),
    ...(times === undefined || times === null ? {} : { times }),
    answer: answer as ToolMock['answer'],
  };
}

/** A line for each case with the fields that its author wrote, so that `merge` changes only these. */
export function importLines(cases: readonly ImportedCase[]): string {
  return cases.map((each) => `${JSON.stringify(lineOf(each))}\n`).join('');
}

function lineOf({ id, fields, written, mocks }: ImportedCase): object {
  const own = Object.entries(fields).filter(([key]) => written.has(key));
  const document = { ...(id === undefined ? {} : { id }), ...Object.fromEntries(own) };
  if (mocks === undefined) return document;
  const owner = id === undefined ? { test_case: fields.name } : { test_case_id: id };
  return {
    format: 'assay-cases',
    schema_version: '1.0.0',
    test_cases: [document],
    tool_mocks: mocks.map(({ answer, times, ...mock }) => ({
      ...owner,
      ...mock,
      times: times ?? null,
      ...answer,
    })),
  };
}

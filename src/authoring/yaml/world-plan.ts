import type { PlannedFault, TestCase, ToolMock } from '../../core/test-case.ts';
import { ofEachTool } from '../../core/tools.ts';
import { given } from '../../lib/given.ts';
import type { JsonValue } from '../../lib/json.ts';
import { camelKeys } from '../../lib/text/key-case.ts';
import type { MockGrammar, PlannedFaultGrammar } from './world-grammar.ts';

/** The keys of suite and test about the tools of a target. */
export interface WrittenWorld {
  readonly mocks?: readonly MockGrammar[] | undefined;
  readonly faults?: readonly PlannedFaultGrammar[] | undefined;
}

/** The entries of a test for a tool replace those of the suite for the same tool. */
export function worldPlan(suite: WrittenWorld, test: WrittenWorld): Pick<TestCase, 'mocks' | 'faults'> {
  const mocks = joined(suite.mocks, test.mocks).map(mockOf);
  const faults = joined(suite.faults, test.faults).map(faultOf);
  return { ...(mocks.length === 0 ? {} : { mocks }), ...(faults.length === 0 ? {} : { faults }) };
}

function joined<Entry extends { readonly tool: string }>(
  before: readonly Entry[] = [],
  own: readonly Entry[] = [],
): readonly Entry[] {
  return ofEachTool(before, own, ({ tool }) => tool);
}

/** The mock of an entry, with its defaults. */
export function mockOf(written: MockGrammar): ToolMock {
  const { tool, params, times, match = params === undefined ? 'any' : 'partial' } = written;
  return {
    tool,
    match,
    ...given({ params }),
    ...(times === undefined || times === null ? {} : { times }),
    answer: answerOf(written),
  };
}

/** The entry of a mock; `mockOf` gives the mock back. */
export function writtenMock({ answer, ...mock }: ToolMock): MockGrammar {
  return { ...mock, ...answer };
}

function answerOf({ error, handler, result }: MockGrammar): ToolMock['answer'] {
  if (error !== undefined) return { error };
  return handler === undefined ? { result: result as JsonValue } : { handler };
}

export function faultOf(written: PlannedFaultGrammar): PlannedFault {
  return given(camelKeys(written));
}

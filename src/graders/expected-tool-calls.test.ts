import { expect, test } from 'vitest';

import type { EntryBody } from '../core/transcript.ts';
import { expectedToolCalls } from './expected-tool-calls.ts';
import { services, subjectOf } from './subject.fixture.ts';

const call = (name: string, input: object): EntryBody & { readonly turn: number } => ({
  type: 'tool-call',
  callId: name,
  name,
  input: input as Record<string, string>,
  turn: 2,
});

async function findingFor(calls: readonly object[], entries: readonly ReturnType<typeof call>[]) {
  const tools = [{ name: 'hang_up', terminating: true }, { name: 'lookup' }];
  const grader = expectedToolCalls.create(expectedToolCalls.config.parse({ calls }), {
    ...services,
    agentOf: () => ({ tools }),
  });
  const [finding] = await grader.grade(subjectOf({ entries }), new AbortController().signal);
  return finding;
}

test('each expected call has a finding', async () => {
  const entries = [call('lookup', { id: 'A' }), call('pay', { sum: 3 })];
  const expected = [
    { tool: 'lookup', expected_params: { id: 'a' } },
    { tool: 'pay', expected_params: { sum: 4 } },
    { tool: 'mail' },
  ];
  expect(await findingFor(expected, entries)).toEqual({
    score: 0,
    reason:
      '1 of 3 expected tool calls were made: pay {"sum":4}: called with other parameters (sum); mail: not called. Observed tool calls: lookup {"id":"A"} | pay {"sum":3}',
    evidence: [
      { text: 'lookup {"id":"a"}: met', passed: true, turns: [2] },
      { text: 'pay {"sum":4}: called with other parameters (sum)', passed: false, turns: [2] },
      { text: 'mail: not called', passed: false },
    ],
    details: {
      findings: [
        { tool: 'lookup', expected_params: { id: 'a' }, finding: 'met', turn: 2 },
        { tool: 'pay', expected_params: { sum: 4 }, finding: 'other-parameters', turn: 2, paths: ['sum'] },
        { tool: 'mail', expected_params: null, finding: 'not-called' },
      ],
    },
  });
  expect(await findingFor(expected.slice(0, 1), entries)).toMatchObject({
    score: 1,
    reason: '1 of 1 expected tool calls were made',
  });
});

test('an empty list takes no call but of a tool that ends the conversation', async () => {
  expect(await findingFor([], [call('lookup', {})])).toEqual({
    score: 0,
    reason: 'expected no tool call, found lookup {}',
    evidence: [{ text: 'lookup {}', passed: false, turns: [2] }],
  });
  const holds = { score: 1, reason: 'no tool was called, as expected' };
  expect(await findingFor([], [call('hang_up', {})])).toEqual(holds);
  expect(await findingFor([], [])).toEqual(holds);
});

import { expect, test } from 'vitest';

import { load } from './project.fixture.ts';

const suite = (lines: readonly string[], suiteLines: readonly string[] = []) => ({
  'a.eval.yaml': [
    ...suiteLines,
    'tests:',
    '  - id: a',
    '    input: Hi',
    '    criteria: c',
    ...lines.map((line) => `    ${line}`),
  ].join('\n'),
});

test('mocks and faults of a test replace those of the suite of the same tool', async () => {
  const { cases, problems } = await load(
    suite(
      [
        'mocks:',
        '  - { tool: lookup, params: { id: X }, times: 1, result: { status: sent } }',
        '  - { tool: lookup, match: any, times: null, error: { code: not_found, message: No } }',
        '  - { tool: lookup, match: exact, params: {}, result: null }',
        'faults:',
        '  - { tool: lookup, kind: timeout, on_call: 1, delay_ms: 20 }',
      ],
      [
        'tools: [{ name: lookup, parameters: { type: object } }]',
        'mocks: [{ tool: lookup, result: 1 }, { tool: refund, handler: refunds }]',
        'faults: [{ tool: lookup, kind: slow, probability: 0.5 }, { tool: refund, kind: malformed, probability: 1 }]',
      ],
    ),
  );
  expect(problems).toEqual([]);
  expect(cases[0]).toMatchObject({
    tools: [{ name: 'lookup', parameters: { type: 'object' } }],
    mocks: [
      { tool: 'refund', match: 'any', answer: { handler: 'refunds' } },
      {
        tool: 'lookup',
        match: 'partial',
        params: { id: 'X' },
        times: 1,
        answer: { result: { status: 'sent' } },
      },
      { tool: 'lookup', match: 'any', answer: { error: { code: 'not_found', message: 'No' } } },
      { tool: 'lookup', match: 'exact', params: {}, answer: { result: null } },
    ],
    faults: [
      { tool: 'refund', kind: 'malformed', probability: 1 },
      { tool: 'lookup', kind: 'timeout', onCall: 1, delayMs: 20 },
    ],
  });
});

test.each([
  ['{ tool: a }', 'mocks[0]: a mock needs exactly one of `result`, `error` and `handler`'],
  [
    '{ tool: a, result: 1, handler: b }',
    'mocks[0]: a mock needs exactly one of `result`, `error` and `handler`',
  ],
  ['{ tool: a, match: any, params: {}, result: 1 }', 'mocks[0].params: `match: any` cannot have `params`'],
  ['{ tool: a, match: exact, result: 1 }', 'mocks[0]: `match: exact` needs `params`'],
  ['{ tool: a, times: 0, result: 1 }', 'mocks[0].times: must be more than 0'],
  ['{ tool: a, reslt: 1 }', 'unknown key `reslt` in mocks[0]'],
])('a mock %s is refused', async (mock, message) => {
  const { problems } = await load(suite([`mocks: [${mock}]`]));
  expect(problems.join('\n')).toContain(message);
});

test.each([
  ['{ tool: a, kind: slow }', 'a fault needs either `on_call` or `probability`'],
  ['{ tool: a, kind: slow, on_call: 1, probability: 1 }', 'a fault needs either `on_call` or `probability`'],
  [
    '{ tool: a, kind: malformed, on_call: 1, delay_ms: 5 }',
    'a fault of kind malformed cannot have `delay_ms`',
  ],
])('a fault %s is refused', async (planned, message) => {
  const { problems } = await load(suite([`faults: [${planned}]`]));
  expect(problems.join('\n')).toContain(message);
});

test('a tool that a suite or a test lists twice is refused', async () => {
  const { problems } = await load(
    suite(
      [],
      ['tools:', '  - { name: refund }', '  - { name: lookup }', '  - { name: refund, description: x }'],
    ),
  );
  expect(problems).toEqual(['a.eval.yaml:4:13  duplicate-tool  tools[2].name: duplicate tool "refund"']);
});

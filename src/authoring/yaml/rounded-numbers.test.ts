import { expect, test } from 'vitest';

import { load } from './project.fixture.ts';

test('a whole number that a double rounds is warned of where it stands, and the suite is loaded', async () => {
  const suite = [
    'metadata: { team: 175928847299117063 }',
    'tests:',
    '  - id: a',
    '    input: { user: 12345678901234567890, card: "4111111111111111111", pi: 3.14159265358979323846 }',
    '    criteria: y',
    '  - id: b',
    '    input: x',
    '    assert:',
    '      - type: contains',
    '        value: -9007199254740993',
    '  - { id: c, input: { ok: 9007199254740992 }, criteria: y }',
  ];
  const { problems, warnings, cases } = await load({ 'a.eval.yaml': suite.join('\n') });
  expect(problems).toEqual([]);
  expect(cases).toHaveLength(3);
  const hint = '(in quotes it is kept as it is written)';
  expect(warnings).toEqual([
    `a.eval.yaml:1:19  number-rounded  metadata.team: 175928847299117063 becomes 175928847299117060  ${hint}`,
    `a.eval.yaml:4:20  number-rounded  input.user: 12345678901234567890 becomes 12345678901234567000  ${hint}`,
    `a.eval.yaml:10:16  number-rounded  assert[0].value: -9007199254740993 becomes -9007199254740992  ${hint}`,
  ]);
});

test('the same of a file with aliases, of a line of JSON, and of tests in another file', async () => {
  const { problems, warnings } = await load(
    {
      'a.eval.yaml':
        'x-one: &one { user: 175928847299117063 }\ntests:\n  - { id: a, input: *one, criteria: y }\n  - file://more.yaml',
      'more.yaml': '- { id: b, input: { user: 175928847299117063 }, criteria: y }\n',
      'b.eval.jsonl': '\n{"id": "a", "input": {"user": 175928847299117063}, "criteria": "y"}\n',
    },
    { load: ['a.eval.yaml', 'b.eval.jsonl'] },
  );
  expect(problems).toEqual([]);
  expect(warnings.map((warning) => warning.split('  ').slice(0, 2).join(' '))).toEqual([
    'a.eval.yaml:1:21 number-rounded',
    'more.yaml:1:27 number-rounded',
    'b.eval.jsonl:2:31 number-rounded',
  ]);
});

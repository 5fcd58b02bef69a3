import { describe, expect, test } from 'vitest';

import { load } from './project.fixture.ts';

const SUITE = (tests: string, column = 'check') =>
  `input: "{{ vars.q }}"\nassert_column: ${column}\ntests: ${tests}\n`;

const typesOf = ({ cases }: Awaited<ReturnType<typeof load>>) =>
  cases.map(({ id, expectations }) => [id, ...expectations.map(({ type, config }) => ({ type, ...config }))]);

describe('assert_column', () => {
  test('gives each row of a CSV the graders of its cell: short, as a mapping, as a list, or none', async () => {
    const loaded = await load({
      'a.yaml': `${SUITE('a.csv')}assert: [{ type: regex, value: . }]\n`,
      'a.csv': [
        'id,vars.q,check',
        'short,x,icontains: riga',
        'flow,x,"{ type: contains, value: Riga }"',
        'list,x,"[{ ""type"": ""regex"", ""value"": ""a"" }, ""contains: b""]"',
        'none,x,',
        '',
      ].join('\n'),
    });
    expect(loaded.problems).toEqual([]);
    const all = { type: 'regex', value: '.' };
    expect(typesOf(loaded)).toEqual([
      ['short', { type: 'contains', value: 'riga', ignore_case: true }, all],
      ['flow', { type: 'contains', value: 'Riga' }, all],
      ['list', { type: 'regex', value: 'a' }, { type: 'contains', value: 'b' }, all],
      ['none', all],
    ]);
  });

  test('a short check with a number passes or fails, as in `__expected`', async () => {
    const table = 'id,vars.q,check\na,x,llm-rubric(0.4): is polite\n';
    const { cases, problems } = await load({ 'a.yaml': SUITE('a.csv'), 'a.csv': table });
    const [expectation] = cases[0]?.expectations ?? [];
    expect([problems, expectation?.type, expectation?.config]).toEqual([
      [],
      'composite',
      expect.objectContaining({ aggregator: { type: 'threshold', value: 1 } }),
    ]);
  });

  test('reads JSONL values, several columns, and adds them to `assert` of the line', async () => {
    const loaded = await load({
      'a.yaml': SUITE('a.jsonl', '[one, two]'),
      'a.jsonl': `${JSON.stringify({
        id: 'a',
        vars: { q: 'x' },
        assert: [{ type: 'regex', value: '.' }],
        one: { type: 'contains', value: 'b' },
        two: ['contains: c'],
      })}\n`,
    });
    expect(loaded.problems).toEqual([]);
    expect(typesOf(loaded)).toEqual([
      [
        'a',
        { type: 'regex', value: '.' },
        { type: 'contains', value: 'b' },
        { type: 'contains', value: 'c' },
      ],
    ]);
  });

  test('shows mistakes at the line and column of their cell', async () => {
    const { problems } = await load({
      'a.yaml': SUITE('a.csv'),
      'a.csv': [
        'id,vars.q,check',
        'a,x,Lisbon',
        '',
        'b,"two',
        'lines",{ type: contains',
        'c,"x, y","{ type: contans, value: 1 }"',
        'd,x,"{ type: contains, vlue: 1 }"',
        'e,ü,webhook: 1',
        '',
      ].join('\n'),
    });
    expect(problems).toEqual([
      expect.stringMatching(
        /^a.csv:2:5 {2}invalid-value {2}column `check`: invalid grader "Lisbon" {2}\(write a grader/,
      ),
      expect.stringMatching(
        /^a.csv:5:8 {2}invalid-value {2}column `check`: invalid grader .*cannot be parsed/,
      ),
      expect.stringMatching(/^a.csv:6:10 {2}unknown-grader .*"contans"/),
      expect.stringMatching(/^a.csv:7:5 {2}(unknown-key|missing-key) /),
      expect.stringMatching(/^a.csv:7:5 {2}(unknown-key|missing-key) /),
      expect.stringMatching(/^a.csv:8:5 {2}invalid-value .*code_judge/),
    ]);
  });

  test('shows mistakes of JSONL in the column of the line', async () => {
    const line = (check: unknown) => JSON.stringify({ id: String(Math.random()), vars: { q: 'x' }, check });
    const { problems } = await load({
      'a.yaml': SUITE('a.jsonl'),
      'a.jsonl': [
        '{"id":"a","vars":{"q":"x"},"check":{"type":"contains","value":[1]}}',
        '{"id":"b","vars":{"q":"x"},"check":7}',
        line(['contains: x', { type: 'contans' }]),
        '',
      ].join('\n'),
    });
    expect(problems).toEqual([
      expect.stringMatching(/^a.jsonl:1:63 /),
      expect.stringMatching(/^a.jsonl:2:36 {2}invalid-value .*invalid grader "7"/),
      expect.stringMatching(/^a.jsonl:3:\d+ {2}unknown-grader /),
    ]);
  });

  test('refuses the key of a test, and a column that the file does not have', async () => {
    const missing = await load({ 'a.yaml': SUITE('a.csv', 'chek'), 'a.csv': 'id,vars.q,check\na,x,y\n' });
    expect(missing.problems).toEqual([
      'a.csv:1  unknown-key  missing column `chek`: `assert_column` of the suite names it  (did you mean `check`?)',
    ]);
    const taken = await load({
      'a.yaml': SUITE('a.csv', 'criteria'),
      'a.csv': 'id,vars.q,criteria\na,x,y\n',
    });
    expect(taken.problems[0]).toMatch(
      /^a.yaml:2:16 {2}conflict {2}assert_column: `criteria` is a key of tests/,
    );
  });
});

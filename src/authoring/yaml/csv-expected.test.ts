import { describe, expect, test } from 'vitest';

import { expectedKeys } from './csv-expected.ts';
import { load } from './project.fixture.ts';

const entryOf = (cell: string) => expectedKeys([['__expected', cell]]).keys['assert'];

test.each([
  ['Lisbon', { type: 'equals', value: 'Lisbon' }],
  ['note: Lisbon', { type: 'equals', value: 'note: Lisbon' }],
  ['cost', { type: 'equals', value: 'cost' }],
  ['equals: Lisbon', { type: 'equals', value: 'Lisbon' }],
  ['contains:a: b', { type: 'contains', value: 'a: b' }],
  ['icontains: lisbon', { type: 'contains', value: 'lisbon', ignore_case: true }],
  ['not-contains: Porto', { type: 'contains', value: 'Porto', negate: true }],
  ['contains-any: a, b', { type: 'contains_any', values: ['a', 'b'] }],
  ['icontains-all: a,b', { type: 'contains_all', values: ['a', 'b'], ignore_case: true }],
  ['regex: ^a(b)$', { type: 'regex', value: '^a(b)$' }],
  ['is-json', { type: 'is_json' }],
  ['javascript: output.length < 9', { type: 'javascript', value: 'output.length < 9' }],
  ['fn: output > 1', { type: 'javascript', value: 'output > 1' }],
  ['llm-rubric: is polite', { type: 'rubrics', criteria: ['is polite'] }],
  ['factuality: It is Lisbon', { type: 'factuality', value: 'It is Lisbon' }],
  ['model-graded-closedqa: is short', { type: 'closed_qa', criteria: 'is short' }],
  ['answer-relevance(0.7)', { type: 'answer_relevance', threshold: 0.7 }],
  ['answer-relevance', { type: 'answer_relevance' }],
  ['latency(2000)', { type: 'latency', threshold: 2000 }],
  ['cost(0.01)', { type: 'cost', budget: 0.01 }],
])('%s is a check', (cell, entry) => {
  expect(entryOf(cell)).toEqual([entry]);
});

describe('a file with such columns', () => {
  test('has variables in its other columns, and the question of its suite', async () => {
    const { cases, problems } = await load({
      'a.yaml': 'input: "The capital of {{ vars.country }}?"\ntests: a.csv\n',
      'a.csv':
        'country,__expected,__expected2,__metric,__threshold\n' +
        'Portugal,icontains: lisbon,not-contains: Porto,facts,0.5\n' +
        'Norway,Oslo,,,\n',
    });
    expect(problems).toEqual([]);
    const shown = cases.map(({ id, vars, input, threshold, expectations }) => ({
      id,
      vars,
      input: input[0]?.parts,
      threshold,
      expectations: expectations.map(({ type, metric, negate }) => ({ type, metric, negate })),
    }));
    expect(shown).toEqual([
      {
        id: 'row-1',
        vars: { country: 'Portugal' },
        input: [{ text: 'The capital of Portugal?' }],
        threshold: 0.5,
        expectations: [
          { type: 'contains', metric: 'facts', negate: undefined },
          { type: 'contains', metric: 'facts', negate: true },
        ],
      },
      {
        id: 'row-2',
        vars: { country: 'Norway' },
        input: [{ text: 'The capital of Norway?' }],
        threshold: undefined,
        expectations: [{ type: 'equals', metric: undefined, negate: undefined }],
      },
    ]);
  });

  test('is told where a check or a threshold is wrong, and still needs a question', async () => {
    const { problems } = await load({
      'a.yaml': 'tests: a.csv\n',
      'a.csv': 'id,input,__expected,__threshold\na,x,rouge-n: 1,1\nb,x,x,high\nc,,regex: x,1\n',
    });
    expect(problems).toEqual([
      'a.csv:2:5  invalid-value  column `__expected`: there is no such check in a CSV file: "rouge-n: 1"  (use `similarity` with `metric: rouge_l` in `assert` of the suite)',
      'a.csv:3:7  invalid-value  column `__threshold`: expected a number from 0 to 1, got "high"',
      'a.csv:4  missing-key  `input` is missing',
    ]);
  });
});

test('a column with another meaning for promptfoo is refused, not read as a variable', async () => {
  const { problems } = await load({
    'a.yaml': 'tests: a.csv\n',
    'a.csv': 'id,input,__expected,__prefix\na,x,y,z\n',
  });
  expect(problems).toEqual([
    'a.csv:1  unknown-key  unknown column `__prefix`  (of such columns, only __expected, __expected1, ..., __metric and __threshold are read)',
  ]);
});

test('a test may leave the question to its suite only if the suite asks one', async () => {
  const tests = 'tests: [{ id: a, criteria: c }]\n';
  expect((await load({ 'a.yaml': `input: Hello\n${tests}` })).problems).toEqual([]);
  expect(
    (await load({ 'a.yaml': `input: [{ role: system, content: Be kind. }]\n${tests}` })).problems,
  ).toEqual(['a.yaml:2:9  missing-key  `input` is missing']);
});

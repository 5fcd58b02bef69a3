import { describe, expect, test } from 'vitest';

import { expectedKeys } from './csv-expected.ts';
import { load } from './project.fixture.ts';

const entryOf = (cell: string) => expectedKeys([['__expected', cell]]).keys['assert'];

/** The check that is passed or failed. */
const passed = ({
  negate,
  ...check
}: {
  readonly type: string;
  readonly negate?: boolean;
  readonly [key: string]: unknown;
}) => ({
  type: 'composite',
  name: check.type,
  aggregator: { type: 'threshold', value: 1 },
  assert: [check],
  ...(negate === true ? { negate } : {}),
});

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
  ['latency: 2000', { type: 'latency', threshold: 2000 }],
  ['llm-rubric(0.7): is polite', { type: 'rubrics', criteria: ['is polite'], threshold: 0.7 }],
  ['grade(0.7): is polite', { type: 'rubrics', criteria: ['is polite'], threshold: 0.7 }],
  ['g-eval(0.7): is clear', { type: 'g_eval', criteria: 'is clear', threshold: 0.7 }],
  ['javascript(0.5): 0.6', { type: 'javascript', value: '0.6', threshold: 0.5 }],
  ['python(0.5): 0.6', { type: 'python', value: '0.6', threshold: 0.5 }],
  ['not-llm-rubric(0.5): x', { type: 'rubrics', criteria: ['x'], threshold: 0.5, negate: true }],
  ['factuality(0.4): x', { type: 'factuality', value: 'x', threshold: 0.4 }],
  ['model-graded-closedqa(0.4): x', { type: 'closed_qa', criteria: 'x', threshold: 0.4 }],
  ['is-json: {"type": "object"}', { type: 'is_json', schema: { type: 'object' } }],
  ['is-json: file://order.json', { type: 'is_json', schema: 'order.json' }],
  ['not-is-json', { type: 'is_json', negate: true }],
  ['file://check.js', { type: 'javascript', value: 'file://check.js' }],
  ['javascript: file://check.ts', { type: 'javascript', value: 'file://check.ts' }],
  ['file://check.py', { type: 'python', value: 'file://check.py' }],
  ['ends-with: .', { type: 'ends_with', value: '.' }],
  ['contains-json', { type: 'is_json', fenced: true }],
  ['contains-json: {"type": "object"}', { type: 'is_json', schema: { type: 'object' }, fenced: true }],
  ['rouge-n: a b', { type: 'similarity', metric: 'rouge_l', value: 'a b', threshold: 0.75 }],
  ['rouge-n(0.4): a b', { type: 'similarity', metric: 'rouge_l', value: 'a b', threshold: 0.4 }],
  ['levenshtein(3): bonjour', { type: 'similarity', metric: 'levenshtein', value: 'bonjour', max_edits: 3 }],
  ['levenshtein: hi', { type: 'similarity', metric: 'levenshtein', value: 'hi', max_edits: 5 }],
  [
    'similar(0.8): hello',
    {
      type: 'similarity',
      metric: 'cosine',
      model: 'openai/text-embedding-3-large',
      value: 'hello',
      threshold: 0.8,
    },
  ],
  ['equals: cost(high)', { type: 'equals', value: 'cost(high)' }],
  ['equals:', { type: 'equals', value: '' }],
])('%s is a check', (cell, entry) => {
  const isScored = 'threshold' in entry && entry.type !== 'latency';
  const [, file] = /file:\/\/(check\.\w+)/.exec(cell) ?? [];
  const named = file === undefined ? {} : { name: `${entry.type}-${file}` };
  const isCode = entry.type === 'javascript' || entry.type === 'python';
  const scored = isCode ? { threshold: 0.000_001, clamp: true, ...entry } : entry;
  const check = isScored || file !== undefined ? scored : entry;
  expect(entryOf(cell)).toEqual([isScored || file !== undefined ? { ...passed(check), ...named } : entry]);
});

test.each([
  ['javascript: output.length / 1000', { type: 'javascript', value: 'output.length / 1000' }],
  ['fn: return 0.5', { type: 'javascript', value: 'return 0.5' }],
  ['python: len(output) / 1000', { type: 'python', value: 'len(output) / 1000' }],
  ['not-python: 0', { type: 'python', value: '0', negate: true }],
])('%s passes with any score above 0', (cell, entry) => {
  expect(entryOf(cell)).toEqual([passed({ threshold: 0.000_001, clamp: true, ...entry })]);
});

test('a score above its threshold counts as 1, and a metric is the one of the check', () => {
  const { keys } = expectedKeys([
    ['__expected', 'g-eval(0.5): is clear'],
    ['__expected2', 'levenshtein(3): bonjour'],
    ['__expected3', 'g-eval: is clear'],
    ['__metric', 'style'],
  ]);
  const similarity = { type: 'similarity', metric: 'levenshtein', value: 'bonjour', max_edits: 3 };
  expect(keys['assert']).toEqual([
    { ...passed({ type: 'g_eval', criteria: 'is clear', threshold: 0.5 }), metric: 'style' },
    { ...passed(similarity), metric: 'style' },
    { type: 'g_eval', criteria: 'is clear', metric: 'style' },
  ]);
});

const hintOf = (cell: string) => expectedKeys([['__expected', cell]]).faults.map(({ hint }) => hint);

test.each([
  ['contains(0.5): x', 'remove the number: `contains` has no threshold'],
  ['is-json(0.5)', 'remove the number: `is-json` has no threshold'],
  ['starts-with(0.75): x', 'remove the number: `starts-with` has no threshold'],
  ['latency:', 'write the limit in brackets, such as `latency(2000)`'],
  ['latency: soon', 'write the limit in brackets, such as `latency(2000)`'],
  ['cost: ', 'write the limit in brackets, such as `cost(0.01)`'],
  ['llm-rubric(70): x', 'write a number from 0 to 1: it is the lowest score that passes'],
  ['llm-rubric', 'write a value after the colon, such as `llm-rubric: TEXT`'],
  ['contains-any:', 'write a value after the colon, such as `contains-any: TEXT`'],
  ['javascript:', 'write a value after the colon, such as `javascript: TEXT`'],
  [
    'latency(-5)',
    'write a number in the brackets, as in `latency(0.5)`; for exactly this answer, write `equals: ` before it',
  ],
  ['is-json: [1', 'write a JSON Schema after the colon, or `file://` and the path of one'],
  ['llm-rubric: file://rubric.txt', 'write the text itself: the content of this file is not read'],
  ['file://answer.txt', 'write the expected answer itself: the content of this file is not read'],
])('%s is refused with one error', (cell, hint) => {
  expect(hintOf(cell)).toEqual([hint]);
});

test('every check of promptfoo is taken or refused, and none is read as an answer', () => {
  const asAnswers = PROMPTFOO_CHECKS.filter((type) => {
    const { keys } = expectedKeys([['__expected', `${type}: 1`]]);
    return JSON.stringify(keys).includes('"equals"');
  });
  expect(asAnswers).toEqual(['equals']);
});

/** The types of checks in promptfoo 0.122. */
const PROMPTFOO_CHECKS = (
  'answer-relevance bleu classifier contains contains-all contains-any contains-html contains-json contains-sql ' +
  'contains-xml context-faithfulness context-recall context-relevance conversation-relevance cost equals factuality ' +
  'finish-reason g-eval gleu guardrails icontains icontains-all icontains-any is-html is-json is-refusal is-sql ' +
  'is-valid-function-call is-valid-openai-function-call is-valid-openai-tools-call is-xml javascript latency ' +
  'levenshtein llm-rubric pi meteor model-graded-closedqa model-graded-factuality moderation perplexity ' +
  'perplexity-score python regex rouge-n ruby similar similar:cosine similar:dot similar:euclidean starts-with ' +
  'tool-call-f1 skill-used trajectory:goal-success trajectory:tool-args-match trajectory:step-count ' +
  'trajectory:tool-sequence trajectory:tool-used trace-error-spans trace-span-count trace-span-duration search-rubric ' +
  'webhook word-count select-best max-score human assert-set fn eval grade'
).split(' ');

test('columns with thresholds belong to the check of their number', () => {
  const { keys, faults } = expectedKeys([
    ['__expected1', 'llm-rubric(0.2): a'],
    ['__config:__expected:threshold', '0.9'],
    ['__expected2', 'latency:'],
    ['__config:__expected2:threshold', '300'],
    ['__expected3', 'g-eval: b'],
    ['__config:__expected3:threshold', ''],
  ]);
  expect([keys, faults]).toEqual([
    {
      assert: [
        passed({ type: 'rubrics', criteria: ['a'], threshold: 0.9 }),
        { type: 'latency', threshold: 300 },
        { type: 'g_eval', criteria: 'b' },
      ],
    },
    [],
  ]);
  const wrong = (cell: string, threshold: string) =>
    expectedKeys([
      ['__expected', cell],
      ['__config:__expected:threshold', threshold],
    ]).faults.map(({ message, hint }) => [message, hint]);
  expect(wrong('Lisbon', '0.5')).toEqual([
    ['column `__expected`: invalid check "Lisbon"', 'remove the threshold: an exact answer has none'],
  ]);
  expect(wrong('g-eval: x', 'high')).toEqual([
    ['column `__config:__expected:threshold`: expected a number, got "high"', undefined],
  ]);
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

  test('needs no checks if its suite asks the question: all its columns are variables', async () => {
    const table = { 'a.csv': 'question,lang\nhi,French\n' };
    const { cases, problems } = await load({
      'a.yaml':
        'input: "{{ vars.question }}"\nassert: [{ type: contains, value: "{{ vars.lang }}" }]\ntests: a.csv\n',
      ...table,
    });
    expect([problems, cases.map(({ id, vars }) => ({ id, vars }))]).toEqual([
      [],
      [{ id: 'row-1', vars: { question: 'hi', lang: 'French' } }],
    ]);
    expect((await load({ 'a.yaml': 'tests: a.csv\n', ...table })).problems).toEqual([
      'a.csv:1  unknown-key  unknown column `question`  (assay calls it `input`: rename the column)',
    ]);
  });

  test('is told where a check or a threshold is wrong, and still needs a question', async () => {
    const { problems } = await load({
      'a.yaml': 'tests: a.csv\n',
      'a.csv': 'id,input,__expected,__threshold\na,x,bleu: 1,1\nb,x,x,high\nc,,regex: x,1\n',
    });
    expect(problems).toEqual([
      'a.csv:2:5  invalid-value  column `__expected`: no such check in a CSV file: "bleu: 1"  (use `similarity` with `metric: rouge_l` in `assert` of the suite)',
      'a.csv:3:7  invalid-value  column `__threshold`: expected a number from 0 to 1, got "high"',
      'a.csv:4  missing-key  `input` is missing',
    ]);
  });
});

test('descriptions and metadata of promptfoo have their place', async () => {
  const { cases, problems } = await load({
    'a.yaml': 'input: "{{ vars.city }}?"\ntests: a.csv\n',
    'a.csv':
      'city,__description,__metadata:tier,__metadata:tags[],__expected\n' +
      'Riga,a city,gold,"sea, old\\, town",Riga\nOslo,,,,Oslo\n',
  });
  expect(problems).toEqual([]);
  expect(cases.map(({ vars, description, metadata }) => ({ vars, description, metadata }))).toEqual([
    { vars: { city: 'Riga' }, description: 'a city', metadata: { tier: 'gold', tags: ['sea', 'old, town'] } },
    { vars: { city: 'Oslo' }, description: undefined, metadata: undefined },
  ]);
});

test('a table without checks is told that its tests need checks', async () => {
  const files = { 'a.yaml': 'input: "{{ vars.city }}?"\ntests: a.csv\n', 'a.csv': 'city\nRiga\n' };
  expect((await load(files, { hasJudge: false })).problems).toEqual([
    'a.csv:2  missing-key  the test has no check  (add `assert` to the suite or to the test; in a CSV file, add a column `__expected`)',
  ]);
});

test('a column with another meaning for promptfoo is refused, not read as a variable', async () => {
  const { problems } = await load({
    'a.yaml': 'tests: a.csv\n',
    'a.csv': 'id,input,__expected,__providerOutput\na,x,y,z\n',
  });
  expect(problems).toEqual([
    'a.csv:1  unknown-key  unknown column `__providerOutput`  (of such columns, assay reads __expected, __expected1, ..., __config:__expected1:threshold, __metric, __threshold, __prefix, __suffix, __description and __metadata:NAME)',
  ]);
});

test('a test may leave the question to its suite only if the suite asks one', async () => {
  const tests = 'tests: [{ id: a, criteria: c }]\n';
  expect((await load({ 'a.yaml': `input: Hello\n${tests}` })).problems).toEqual([]);
  expect(
    (await load({ 'a.yaml': `input: [{ role: system, content: Be kind. }]\n${tests}` })).problems,
  ).toEqual(['a.yaml:2:9  missing-key  `input` is missing']);
});

test('`__prefix` and `__suffix` are around the question of their row', async () => {
  const { cases, problems } = await load({
    'a.yaml': 'input: "{{ vars.q }}"\ntests: a.csv\nassert: [{ type: regex, value: . }]\n',
    'a.csv': 'q,__prefix,__suffix\nWhy?,Say: , (briefly)\nHow?,,\n',
  });
  expect(problems).toEqual([]);
  expect(cases.map(({ input, vars }) => [input, vars])).toEqual([
    [
      [{ role: 'user', parts: [{ text: 'Say: Why? (briefly)' }] }],
      { q: 'Why?', __prefix: 'Say: ', __suffix: ' (briefly)' },
    ],
    [[{ role: 'user', parts: [{ text: 'How?' }] }], { q: 'How?' }],
  ]);
});

test('with turns, `__prefix` and `__suffix` are around the first one', async () => {
  const said = (text: string) => ({ parts: [{ text }] });
  const { cases, problems } = await load({
    'a.yaml':
      'vars: { __prefix: "Say: ", __suffix: "!" }\nassert: [{ type: regex, value: . }]\n' +
      'tests: [{ id: a, input: Before, turns: [{ input: Hi }, { input: And now? }] }]\n',
  });
  expect(problems).toEqual([]);
  expect(cases.map(({ input, user }) => [input, user])).toEqual([
    [
      [{ role: 'user', ...said('Before') }],
      { type: 'scripted', messages: [said('Say: Hi!'), said('And now?')] },
    ],
  ]);
});

test('texts of a test are variables too, because many prompts read a name', async () => {
  const { cases, problems } = await load({
    'a.yaml': 'input: "{{ vars.input }}, {{ vars.name }}?"\ntests: a.csv\n',
    'a.csv': 'name,input,__expected\nKim,Why,x\n',
  });
  expect(problems).toEqual([]);
  const [first] = cases;
  expect([first?.id, first?.name, first?.vars, first?.input]).toEqual([
    'row-1',
    'Kim',
    { name: 'Kim', input: 'Why' },
    [{ role: 'user', parts: [{ text: 'Why, Kim?' }] }],
  ]);
});

test('a table with names and without checks is a table of variables too', async () => {
  const { cases, problems } = await load({
    'a.yaml':
      'input: "{{ vars.name }}, {{ vars.city }}?"\ntests: a.csv\nassert: [{ type: regex, value: . }]\n',
    'a.csv': 'id,name,city\na,Kim,Riga\n',
  });
  expect([problems, cases[0]?.id, cases[0]?.vars]).toEqual([[], 'a', { id: 'a', name: 'Kim', city: 'Riga' }]);
});

test('`__prefix` and `__suffix` may read variables, and are texts', async () => {
  const tests = (vars: string) =>
    `input: Why?\nassert: [{ type: regex, value: . }]\ntests: [{ id: a, vars: { ${vars} } }]\n`;
  const { cases, problems } = await load({
    'a.yaml': tests("name: Ada, __prefix: 'Hello {{ vars.name }}, ', __suffix: ' \\{{ x }}'"),
  });
  expect(problems).toEqual([]);
  expect(cases.map(({ input, vars }) => [input, vars])).toEqual([
    [
      [{ role: 'user', parts: [{ text: 'Hello Ada, Why? {{ x }}' }] }],
      { name: 'Ada', __prefix: 'Hello Ada, ', __suffix: ' {{ x }}' },
    ],
  ]);
  expect((await load({ 'a.yaml': tests("__prefix: 5, __suffix: '{{ vars.nobody }}'") })).problems).toEqual([
    'a.yaml:3:36  invalid-value  `__prefix` must be a text',
    'a.yaml:3:49  unknown-var  unknown variable `vars.nobody`  (add it to `vars` of the test or the suite)',
  ]);
});

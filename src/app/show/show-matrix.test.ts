import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { Row } from '../../core/run.ts';
import { rowOf } from '../../storage/run-directory/fixtures/runs.ts';
import { temporaryFolder } from '../../../test/contracts/target.ts';
import { storedRuns } from '../../../test/support/stored-runs.ts';
import { showRun, type ShowRequest } from '../show-run.ts';

const TARGETS = ['short', 'long'].map((prompt) => ({
  name: `agent[prompt=${prompt}]`,
  type: 'mock',
  config: {},
  digest: 1,
  variant: { base: 'agent', values: { prompt } },
}));
const [SHORT = '', LONG = ''] = TARGETS.map(({ name }) => name);

const trial = (caseId: string, target: string, more: Partial<Row> = {}) => rowOf(caseId, { target, ...more });
const bad = { verdict: 'failed', status: 'failed', passed: false, score: 0.25 } as const;
const broken = { verdict: 'errored', status: 'errored', passed: false, score: null } as const;
const graded = (name: string, passed: boolean) => [
  {
    name,
    type: 'contains',
    score: passed ? 1 : 0,
    passed,
    weight: 1,
    reason: `${name} says so`,
    durationMs: 1,
  },
];

/** In the order in which they ended, which is not that of the plan. */
const rows: readonly Row[] = [
  trial('hello', SHORT, { number: 3, grades: graded('polite', true) }),
  trial('refund', SHORT, { ...bad, number: 1, output: 'No <b>refund</b>.', grades: graded('polite', false) }),
  trial('refund', LONG, { number: 2, output: 'Of course.' }),
  trial('hello', LONG, { ...broken, number: 4 }),
];

async function shown(more: Partial<ShowRequest>, { columns = 100, all = rows } = {}): Promise<string> {
  const stored = storedRuns();
  await stored.keep(all, { targets: TARGETS });
  const only = { targets: [], cases: [], graders: [], verdicts: [], failed: false };
  const request = { run: 'latest', only, rebuild: false, form: 'text', verbosity: 'normal' } as const;
  await showRun({ ...request, ...more }, { ...stored, screen: { ...stored.screen, columns } });
  return stored.shown();
}

const only = (filter: Partial<ShowRequest['only']>) => ({
  only: { targets: [], cases: [], graders: [], verdicts: [], failed: false, ...filter },
});

test('the matrix is in the order of the plan, with the values of variants as its head', async () => {
  expect(await shown({ matrix: 'text' })).toBe(`case    short   long
refund  ✗ 0.25  ✓ 1
hello   ✓ 1     ! errored
passed  1/2     1/1

targets differ in 1 of 2 cases
`);
});

test('targets that do not fit follow in further tables', async () => {
  expect(await shown({ matrix: 'text' }, { columns: 20 })).toBe(`case    short
refund  ✗ 0.25
hello   ✓ 1
passed  1/2

case    long
refund  ✓ 1
hello   ! errored
passed  1/1

targets differ in 1 of 2 cases
`);
});

test('repetitions share a cell, and a target without the case has none', async () => {
  const all = [
    trial('a', SHORT, { number: 1 }),
    trial('a', SHORT, { ...bad, number: 2, repetition: 2 }),
    trial('b', LONG, { number: 3 }),
  ];
  expect(await shown({ matrix: 'text' }, { all })).toBe(`case    short         long
a       ✗ 1/2, 0.625  ·
b       ·             ✓ 1
passed  1/2           1/1

targets differ in 0 of 2 cases
`);
});

test('the scores of stored cases are in percent, as in all other views', async () => {
  const all = [
    trial('refund', SHORT, { ...bad, suite: 'stored', number: 1 }),
    trial('refund', LONG, { suite: 'stored', number: 2 }),
  ];
  expect((await shown({ matrix: 'text' }, { all })).split('\n')[1]).toBe('refund  ✗ 25   ✓ 100');
  expect((await shown({ matrix: 'markdown' }, { all })).split('\n')[2]).toBe('| refund | ✗ 25 | ✓ 100 |');
  const file = join(temporaryFolder(), 'matrix.html');
  await shown({ matrix: { html: file } }, { all });
  expect(readFileSync(file, 'utf8')).toContain('<span class="is-failed">✗ 25</span>');
});

const leftOut = {
  name: 'expected_outcomes/outcome/Refunded.',
  type: 'unjudged_outcomes',
  outcome: 'Refunded.',
  score: null,
  passed: false,
  weight: 0,
  reason: 'not judged',
  durationMs: 1,
};
const unjudged = [
  trial('refund', SHORT, { number: 1, grades: [leftOut] }),
  trial('refund', LONG, { number: 2 }),
];

test('a cell whose expected outcomes were not judged is marked in every form', async () => {
  expect(await shown({ matrix: 'text' }, { all: unjudged })).toBe(`case    short  long
refund  ✓ 1 *  ✓ 1
passed  1/1    1/1

targets differ in 0 of 1 case
* expected outcomes not judged
`);
  expect(await shown({ matrix: 'markdown' }, { all: unjudged })).toBe(`| case | short | long |
| --- | --- | --- |
| refund | ✓ 1 \\* | ✓ 1 |
| passed | 1/1 | 1/1 |

\\* expected outcomes not judged
`);
  const { cases } = JSON.parse(await shown({ matrix: 'json' }, { all: unjudged }));
  expect(cases[0].cells).toEqual([
    [{ number: 1, repetition: 1, verdict: 'passed', status: 'passed', score: 1, isUnjudged: true }],
    [{ number: 2, repetition: 1, verdict: 'passed', status: 'passed', score: 1 }],
  ]);
  const file = join(temporaryFolder(), 'matrix.html');
  await shown({ matrix: { html: file } }, { all: unjudged });
  const page = readFileSync(file, 'utf8');
  expect(page).toContain('<span class="is-passed">✓ 1 *</span>');
  expect(page).toContain('* expected outcomes not judged.');
});

test('as JSON a cell is the list of its trials', async () => {
  const { run, ...matrix } = JSON.parse(await shown({ matrix: 'json' }));
  expect(run).toEqual(expect.any(String));
  const cell = (number: number, { verdict, score }: Pick<Row, 'verdict' | 'score'>) => [
    { number, repetition: 1, verdict, status: verdict, score },
  ];
  const good = { verdict: 'passed', score: 1 } as const;
  expect(matrix).toEqual({
    targets: [SHORT, LONG],
    cases: [
      { suite: 's', caseId: 'refund', cells: [cell(1, bad), cell(2, good)] },
      { suite: 's', caseId: 'hello', cells: [cell(3, good), cell(4, broken)] },
    ],
  });
});

test('as Markdown it is a table', async () => {
  expect(await shown({ matrix: 'markdown' })).toBe(`| case | short | long |
| --- | --- | --- |
| refund | ✗ 0.25 | ✓ 1 |
| hello | ✓ 1 | ! errored |
| passed | 1/2 | 1/1 |
`);
});

test('as a page it has the answers of all targets in each case, as text', async () => {
  const file = join(temporaryFolder(), 'matrix.html');
  expect(await shown({ matrix: { html: file } })).toBe(`written to ${file}\n`);
  const [, refund = ''] = readFileSync(file, 'utf8').split('<details class="line-case"');
  expect(refund.replaceAll(/<[^>]*>/g, '|').replaceAll(/\|+/g, '|')).toBe(
    ' data-scores="0.25,1" data-differs>|refund|✗ 0.25|✓ 1|s|short|No &lt;b&gt;refund&lt;/b&gt;.|polite: polite says so|long|Of course.|\n',
  );
});

test('filters choose the trials by target, case, grader and verdict', async () => {
  const keys = async (filter: Partial<ShowRequest['only']>) =>
    (await shown({ ...only(filter), form: 'json' }))
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as Row).number);
  expect(await keys({ targets: [SHORT] })).toEqual([3, 1]);
  expect(await keys({ targets: ['agent'] })).toEqual([3, 1, 2, 4]);
  expect(await keys({ targets: ['*long*'], verdicts: ['errored'] })).toEqual([4]);
  expect(await keys({ cases: ['hel*'] })).toEqual([3, 4]);
  expect(await keys({ graders: ['polite'] })).toEqual([3, 1]);
  expect(await keys({ graders: ['polite'], failed: true })).toEqual([1]);
  expect(await shown({ ...only({ verdicts: ['skipped'], failed: true }) })).toBe(
    'no such trial failed or errored\n',
  );
  expect(await shown({ ...only({ cases: ['hello'] }), matrix: 'text' })).toBe(`case    short  long
hello   ✓ 1    ! errored
passed  1/1    0/0

targets differ in 0 of 1 case
`);
});

test('filtered trials are counted, and an unknown target is refused', async () => {
  const text = await shown(only({ verdicts: ['errored'] }));
  expect(text.trimEnd().split('\n').at(-1)).toBe('1 of 4 trials');
  await expect(shown(only({ targets: ['agent[prompt=shrt]'] }))).rejects.toMatchObject({
    code: 'unknown-target',
    hint: `did you mean ${SHORT}?`,
  });
});

test('the graders are counted for each target, in the terminal and as JSON', async () => {
  expect(await shown({ graders: true })).toBe(`grader  target               passed
polite  agent[prompt=short]  50 % of 2, mean 0.5
`);
  expect(await shown({ graders: true }, { columns: 40 })).toBe(`polite
  agent[prompt=short]
    50 % of 2, mean 0.5
`);
  const { graders } = JSON.parse(await shown({ graders: true, form: 'json' }));
  expect(graders).toEqual([
    {
      name: 'polite',
      kind: 'grader',
      targets: [{ target: SHORT, graded: 2, passed: 1, errored: 0, mean: 0.5 }],
    },
  ]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openProject } from './support/here.ts';
import { newestRun } from './support/project.ts';

test('formulas over metrics are in the terminal, in JSON, HTML and Markdown', async () => {
  const check = (value: string, metric: string) => ({ type: 'contains', value, metric });
  await using project = openProject({
    'assay.config.json': {
      targets: { good: { type: 'mock', response: 'a b' }, bad: { type: 'mock', response: 'a' } },
    },
    'a.eval.yaml': {
      execution: { targets: ['good', 'bad'] },
      derived_metrics: { f1: '2 * p * r / (p + r)', lost: 'p / (1 - p)', half: 'f1 / 2' },
      assert: [check('a', 'p'), check('b', 'r')],
      tests: [{ id: 'one', input: 'x' }],
    },
  });
  const reporters = ['html', 'markdown', 'json'].flatMap((name) => ['--reporter', name]);
  const ran = await project.assay('run', ...reporters);
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 1, stderr: '' });
  const { stdout } = await project.assay('show', 'latest', '--graders');
  expect(stdout.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, '  '))).toEqual(
    expect.arrayContaining([
      'f1  good  1 = 2 * p * r / (p + r)',
      'bad  0 = 2 * p * r / (p + r)',
      'lost  good  - = p / (1 - p)',
      'half  good  0.5 = f1 / 2',
    ]),
  );
  const derived = [
    {
      name: 'f1',
      formula: '2 * p * r / (p + r)',
      targets: [
        { target: 'good', value: 1 },
        { target: 'bad', value: 0 },
      ],
    },
    {
      name: 'lost',
      formula: 'p / (1 - p)',
      targets: [
        { target: 'good', value: null },
        { target: 'bad', value: null },
      ],
    },
    {
      name: 'half',
      formula: 'f1 / 2',
      targets: [
        { target: 'good', value: 0.5 },
        { target: 'bad', value: 0 },
      ],
    },
  ];
  const shown = await project.assay('show', 'latest', '--graders', '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject({ derived });
  const file = (name: string) => readFileSync(join(newestRun(project), name), 'utf8');
  expect(JSON.parse(file('results.json'))).toMatchObject({ derived });
  expect(file('report.md')).toContain(
    '| metric | good | bad |\n| --- | ---: | ---: |\n| p | 1 | 1 |\n| r | 1 | 0 |\n| f1 = 2 \\* p \\* r / (p + r) | 1 | 0 |\n',
  );
  expect(file('report.html')).toMatch(
    /f1 <span class="soft">= 2 \* p \* r \/ \(p \+ r\)<\/span><\/th><td class="num">1</,
  );
  const graded = await project.assay('grade', 'latest');
  expect(graded.code).toBe(1);
  const again = await project.assay('show', 'latest', '--graders', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ derived });
});

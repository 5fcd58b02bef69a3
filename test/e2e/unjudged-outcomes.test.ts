import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { openProject } from './support/here.ts';
import { newestRun, type Project } from './support/project.ts';
import { startJudge } from './support/talkers.ts';

let judge: Awaited<ReturnType<typeof startJudge>>;
let project: Project;

beforeAll(async () => {
  judge = await startJudge(() => ({}));
  project = openProject({
    'assay.config.json': configWith('off'),
    'cases/a.json': {
      name: 'a',
      initial_message: 'My lamp broke.',
      max_turns: 1,
      expected_outcomes: { 'The refund was made.': true },
    },
  });
});

afterAll(async () => {
  await judge[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

function configWith(outcomes: 'off' | 'gate') {
  return {
    targets: { bot: { type: 'mock', response: 'I refund it.' } },
    judge: { model: 'bench/judge', metrics: [], outcomes },
    models: { bench: { baseUrl: `${judge.url}/v1` } },
    run: { seed: 3, expectations: [{ type: 'contains', value: 'refund' }] },
  };
}

const ran = async (...args: readonly string[]) => {
  const { code, stdout } = await project.assay('run', '--stored', 'cases', ...args);
  return { code, stdout, run: newestRun(project) };
};

test('outcomes that are not judged are named wherever the verdict stands, and make another measure', async () => {
  const plan = await project.assay('run', '--stored', 'cases', '--dry');
  const unjudged = await ran(
    '--reporter',
    'html=page.html',
    '--reporter',
    'markdown=page.md',
    '--reporter',
    'junit=tests.xml',
  );
  const asked = judge.requests.length;
  const note = '1 expected outcome was not judged in this run: only the other checks decided';
  const shown = await project.assay('show', unjudged.run);
  const trial = await project.assay('show', unjudged.run, '--trial', 'a');
  const page = readFileSync(project.path('page.html'), 'utf8');
  const markdown = readFileSync(project.path('page.md'), 'utf8');
  expect([unjudged.code, asked]).toEqual([0, 0]);
  expect(plan.stdout).toContain(
    '1 case has expected outcomes that are not judged in this run: only the other checks decide',
  );
  expect([unjudged.stdout, shown.stdout, page, markdown].map((text) => text.includes(note))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(page).toContain('<h1>All 1 passed, expected outcomes not judged</h1>');
  expect(trial.stdout).toContain('✓ passed, expected outcomes not judged');
  expect(trial.stdout).toContain('not decided  expected_outcomes/outcome/The refund was made.');
  const printed = async (...args: readonly string[]) => (await project.assay(...args)).stdout;
  const again = await ran();
  const unmarked = [
    readFileSync(project.path('tests.xml'), 'utf8'),
    await printed('runs'),
    await printed('show', unjudged.run, '--matrix'),
    await printed('compare', unjudged.run, again.run),
  ].filter((text) => !text.includes('expected outcomes not judged'));
  expect(unmarked).toEqual([]);
  expect(await printed('show', unjudged.run, '--graders')).not.toContain('errored');
  const { totals } = JSON.parse(readFileSync(join(unjudged.run, 'results.json'), 'utf8'));
  expect(totals.outcomes).toEqual({ asked: 0, held: 0, unjudged: 1 });

  project.write({ 'assay.config.json': configWith('gate') });
  const judged = await ran();
  const compared = await project.assay('compare', unjudged.run, judged.run);
  expect([judged.code, judge.requests.length]).toEqual([0, 1]);
  expect([compared.code, compared.stdout.split('\n')[0]]).toEqual([
    3,
    expect.stringContaining('invalid: 1 of 1 cases are graded differently on the two sides'),
  ]);
});

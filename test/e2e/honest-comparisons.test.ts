import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openProject } from './support/here.ts';
import { manifestOf, type Project } from './support/project.ts';

const names = Array.from({ length: 20 }, (_, i) => `case-${String(i).padStart(2, '0')}`);
const tone = { type: 'contains', value: 'shop', name: 'tone' };
const policy = { type: 'contains', value: 'policy', name: 'policy', weight: 0, required: true };

let project: Project;

const mock = (response: string) => ({ type: 'mock', response });
const suite = (assert: readonly object[]) => ({
  tests: names.map((id) => ({ id, input: 'Hello?', assert })),
});
/** Runs of one second have no order of their own. */
const run = async (...args: string[]) => {
  const before = project.runs();
  const { code, stdout, stderr } = await project.assay('run', ...args);
  const directory = project.runs().find((each) => !before.includes(each)) ?? '';
  return { id: basename(directory), directory, code, said: stdout + stderr };
};

beforeAll(() => {
  project = openProject({
    'assay.config.json': { targets: { kind: mock('shop policy'), rude: mock('shop'), off: mock('none') } },
    'gated.eval.yaml': suite([tone, policy]),
    'mixed.eval.yaml': {
      tests: [
        ...suite([tone, policy]).tests.slice(0, 6),
        ...suite([tone])
          .tests.slice(6)
          .map((each) => ({ ...each, id: `${each.id}-plain` })),
      ],
    },
    'uneven.eval.yaml': {
      tests: [
        { id: 'easy', input: 'Hello?', repeat: 30, assert: [tone] },
        ...names.slice(0, 5).map((id) => ({ id, input: 'Hello?', assert: [{ type: 'equals', value: 'x' }] })),
      ],
    },
    'shown.eval.yaml': suite([tone, { type: 'contains', value: 'hours', name: 'hours', weight: 0 }]),
    'plain.eval.yaml': suite([tone]),
    'stored.config.json': {
      targets: { kind: mock('shop policy') },
      target: 'kind',
      user: { type: 'scripted', messages: [] },
      judge: { model: 'none/none', metrics: [] },
      run: { expectations: [{ type: 'contains', value: 'shop' }] },
    },
    'cases/a.json': names.map((name) => ({ name, initial_message: 'Hello?' })),
  });
});
afterAll(() => project[Symbol.asyncDispose]());

describe('an agent whose gates all fall', () => {
  test('fails --baseline, although its score is as before', async () => {
    const base = await run('gated.eval.yaml', '--target', 'kind');
    const fallen = await run('gated.eval.yaml', '--target', 'rude', '--baseline', base.id);
    expect(fallen.code).toBe(1);
    expect(fallen.said).toContain('regressed: 20 of 20 cases got worse, none better, p < 0.001');
    expect(fallen.said).toContain('failed required graders  policy');
    const scores = await project.assay('compare', base.id, fallen.id, '--on', 'score', '--json');
    expect(JSON.parse(scores.stdout)).toMatchObject({
      verdict: 'inconclusive',
      comparisons: [{ verdicts: { less: 20, lessAtSameScore: 20, isMoreThanChance: true } }],
    });
  });

  test('fails --baseline also where the score is compared, and the sentence names the gates', async () => {
    const base = await run('mixed.eval.yaml', '--target', 'kind');
    const fallen = await run('mixed.eval.yaml', '--target', 'rude', '--baseline', base.id);
    expect(fallen.code).toBe(1);
    expect(fallen.said).toContain(
      '; 6 cases newly fail at the same score, more than chance explains (p = 0.03); newly failing required graders: policy',
    );
  });
});

test('a run of what failed is no comparison with what it was chosen from, and says so in its manifest', async () => {
  const first = await run('gated.eval.yaml', '--target', 'rude');
  const again = await run('gated.eval.yaml', '--target', 'rude', '--failed', first.id);
  const third = await run('gated.eval.yaml', '--target', 'rude', '--failed', again.id);
  expect(manifestOf(third.directory)).toMatchObject({ chosenFrom: [again.id, first.id] });
  for (const chosen of [again, third]) {
    const { code, stdout } = await project.assay('compare', first.id, chosen.id);
    expect(code).toBe(3);
    expect(stdout).toContain(
      `invalid: ${chosen.id} only contains cases that failed or errored in ${first.id}`,
    );
    const across = await project.assay('compare', first.id, chosen.id, '--across', 'selection');
    expect(across.code).toBe(0);
  }
});

test('where repetitions differ, each case counts once in every report and every gate', async () => {
  const { id, code, said, directory } = await run(
    'uneven.eval.yaml',
    '--target=kind',
    '--gate=pass_rate >= 0.8',
    '--reporter=terminal',
    '--reporter=markdown=report.md',
    '--reporter=html=report.html',
  );
  expect(code).toBe(1);
  const note = 'cases have different numbers of repetitions, so each case counts once';
  expect(said).toContain('16.7 % over 6 cases [3, 56.4]');
  expect(said).toContain('30/35 passed; numbers of repetitions differ, so each of 6 cases counts once');
  for (const text of [said, project.read('report.md'), project.read('report.html')]) {
    expect(text).toContain(note);
    expect(text).toContain('16.7 %');
    expect(text).not.toContain('85.7 %');
  }
  expect(JSON.parse(readFileSync(join(directory, 'results.json'), 'utf8'))).toMatchObject({
    totals: { passRate: { value: 0.166_666_667, passed: 30, measured: 35, meanOfCases: 6 } },
  });
  const shown = await project.assay('show', id);
  expect(shown.stdout).toContain('16.7 % over 6 cases [3, 56.4]');
  expect(shown.stdout).toContain(note);
});

test('a grader of weight 0 that is no gate may come and go', async () => {
  const plain = await run('plain.eval.yaml', '--target', 'kind');
  project.write({ 'plain.eval.yaml': project.read('shown.eval.yaml') });
  const shown = await run('plain.eval.yaml', '--target', 'kind');
  const { code, stdout } = await project.assay('compare', plain.id, shown.id);
  expect([code, stdout.startsWith('inconclusive: none of 20 cases got better or worse')]).toEqual([0, true]);
});

describe('stored cases', () => {
  const given = ['--stored', 'cases', '--config', 'stored.config.json'];

  test('are planned for as evals are', async () => {
    const { id, code } = await run(...given, '--repeat', '2');
    expect(code).toBe(0);
    const plan = ['plan', ...given, '--detect', '0.2', '--from', id];
    const { stdout, stderr } = await project.assay(...plan);
    expect([stderr, ...stdout.split('\n').slice(0, 2)]).toEqual([
      '',
      'Your 20 cases, each run once, are enough to detect a change of 20 points that affects every case a little.',
      'To detect one that breaks some cases completely, use 32 cases, each run once.',
    ]);
  });

  test('have their graders verified as evals have', async () => {
    const { code, stdout } = await project.assay('verify-graders', ...given);
    expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([
      0,
      '20 tests: no test has an oracle and no test passes with an empty answer',
    ]);
  });

  test('are selected by flags that want --stored', async () => {
    const { code, stderr } = await project.assay('verify-graders', 'cases', '--status', 'any');
    expect([code, stderr]).toEqual([2, expect.stringContaining('select stored test cases')]);
  });
});

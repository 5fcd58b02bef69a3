import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../../test/contracts/target.ts';
import { storedRuns } from '../../test/support/stored-runs.ts';
import type { Grade } from '../core/grade.ts';
import { rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { calibrate } from './calibrate.ts';
import { labelRun, type LabelRequest } from './label-run.ts';

const grade = (name: string, passed: boolean, more: Partial<Grade> = {}): Grade => ({
  name,
  type: 'llm_judge',
  score: passed ? 1 : 0,
  passed,
  weight: 1,
  reason: 'the hidden reason',
  durationMs: 1,
  digest: 2,
  ...more,
});

/** 12 trials of which 3 fail by the judge, and a grader that asks no judge. */
const ROWS = Array.from({ length: 12 }, (_, index) =>
  rowOf(`c${index}`, {
    number: index + 1,
    grades: [grade('polite', index >= 3, { model: 'm' }), grade('short', true)],
  }),
);

async function project(rows = ROWS) {
  const stored = storedRuns();
  const id = await stored.keep(rows, { projectRoot: temporaryFolder() });
  const surroundings = { ...stored.surroundings, cwd: temporaryFolder() };
  const file = join(surroundings.cwd, 'labels.jsonl');
  return {
    id,
    surroundings,
    file,
    keep: stored.keep,
    screen: stored.shown,
    label: async (typed: readonly string[], more: Partial<LabelRequest> = {}) => {
      const lines = [...typed];
      const request = { run: 'latest', file: 'labels.jsonl', by: 'ann', limit: 6, seed: 1, ...more };
      const nextLine = async () => lines.shift();
      await labelRun(request, { screen: stored.screen, surroundings, nextLine });
    },
    labels: () =>
      existsSync(file)
        ? readFileSync(file, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
  };
}

test('answers are shown without grades, and verdicts are stored as labels', async () => {
  const { label, labels, screen, id } = await project();
  await label(['y', 'what?', 'n promises too much', 's', 'q']);
  expect(labels()).toEqual([
    {
      trial: expect.stringMatching(`^${id}/s/c\\d+/t/r1$`),
      expectation: 'polite',
      verdict: 'passed',
      by: 'ann',
    },
    {
      trial: expect.stringMatching(`^${id}/s/c\\d+/t/r1$`),
      expectation: 'polite',
      verdict: 'failed',
      note: 'promises too much',
      by: 'ann',
    },
  ]);
  expect(screen()).toContain('1 of 6');
  expect(screen()).toContain('assistant  hello');
  expect(screen()).not.toContain('hidden reason');
  expect(screen()).toContain(
    '2 labels added to labels.jsonl: now 1 passed and 1 failed\nLabel more answers that passed: with fewer than 10, agreement on them is only a guess.\nNext: assay calibrate labels.jsonl\n',
  );
});

test('half of the drawn answers failed, as far as there are some, and labelled ones do not come again', async () => {
  const { label, labels } = await project();
  const failing = ['c0', 'c1', 'c2'];
  const drawn = () => labels().map(({ trial }) => String(trial).split('/')[2]);
  await label(Array.from({ length: 6 }, () => 'y'));
  expect(drawn().filter((id) => failing.includes(id ?? ''))).toHaveLength(3);
  await label(
    Array.from({ length: 20 }, () => 'y'),
    { limit: 20 },
  );
  expect(new Set(drawn()).size).toBe(12);
  expect(drawn()).toHaveLength(12);
});

test('calibrate reads the file without a flag, although another run is newer', async () => {
  const stored = await project();
  await stored.label(Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? 'y' : 'n')));
  await stored.keep([rowOf('newer')]);
  const report = await calibrate({ labels: 'labels.jsonl' }, stored.surroundings);
  expect({
    runId: report.runId,
    graders: report.graders.map(({ calibration }) => calibration.expectation),
  }).toEqual({
    runId: stored.id,
    graders: ['polite'],
  });
});

test('a grade must be named where several could be meant', async () => {
  const several = ROWS.map((row) => ({ ...row, grades: [grade('polite', true), grade('short', true)] }));
  const { label } = await project(several);
  await expect(label([])).rejects.toMatchObject({
    message: expect.stringContaining('has several grades to label'),
    hint: 'name one with --expectation: polite, short',
  });
  await expect(label([], { expectation: 'polit' })).rejects.toMatchObject({ hint: 'did you mean polite?' });
});

test('an empty file of labels is a beginning', async () => {
  const { label, labels, file } = await project();
  writeFileSync(file, '');
  await label(['y']);
  expect(labels()).toHaveLength(1);
});

test('a damaged file of labels is refused before anything is asked', async () => {
  const { label, file } = await project();
  writeFileSync(file, 'not json\n');
  await expect(label(['y'])).rejects.toMatchObject({ problems: [{ code: 'invalid-label' }] });
});

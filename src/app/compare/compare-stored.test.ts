import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { Manifest } from '../../core/manifest.ts';
import type { Row } from '../../core/run.ts';
import { emptyTally } from '../../reading/tally.ts';
import { createRedactor } from '../../lib/redact/redact.ts';
import { memoryRuns } from '../../storage/memory/store.ts';
import { ended, manifestOf, rowOf } from '../../storage/run-directory/fixtures/runs.ts';
import { comparedRun, compareStored } from './compare-stored.ts';
import { choiceOf } from './chosen-from.ts';

const OPTIONS = { alpha: 0.05, margin: 0, across: [] } as const;
const redactor = createRedactor({ environment: {} });
const targetOf = (name: string) => ({ name, type: 'mock', config: {}, digest: 1 });

/** Never made: no run here has artifacts. */
const FOLDER = join(import.meta.dirname, 'no-such-folder');

function someRuns() {
  const runs = memoryRuns(FOLDER);
  const keep = async (
    startedAt: number,
    rows: readonly Row[],
    origin: Partial<Pick<Manifest, 'sourceRunId' | 'chosenFrom' | 'settings'>> = {},
  ): Promise<string> => {
    const run = await runs.create({
      startedAt,
      redactor,
      manifest: (id) =>
        manifestOf({
          id,
          state: 'running',
          digests: ['case', 'target', 'grader', 'another grader'],
          targets: [...new Set(rows.map((row) => row.target))].map(targetOf),
          trials: rows.length,
          ...origin,
        }),
    });
    const log = run.openLog(0);
    await log.append(rows.map(ended));
    log.close();
    const { byStatus, costUsd } = emptyTally;
    run.finish({ ...run.manifest, state: 'completed' }, { byStatus, costUsd });
    run.release();
    return run.manifest.id;
  };
  return { runs, keep };
}

/** Rows of so many cases; those that fail fall through a gate. */
function rowsOf(cases: number, failing: number, target = 't', grader = 2): readonly Row[] {
  return Array.from({ length: cases }, (_, index) => {
    const passed = index >= failing;
    const verdict = passed ? 'passed' : 'failed';
    return rowOf(`c${index}`, {
      target,
      verdict,
      status: verdict,
      passed,
      score: passed ? 1 : 0,
      fallenGates: passed ? [] : ['polite'],
      digests: { case: 0, target: 1 },
      grades: [
        {
          name: 'polite',
          type: 'contains',
          score: passed ? 1 : 0,
          passed,
          weight: 1,
          required: 1,
          reason: 'r',
          durationMs: 1,
          digest: grader,
        },
      ],
    });
  });
}

test('a run that passes less often than its base has regressed, and the gate that fell is named', async () => {
  const { runs, keep } = someRuns();
  const base = await keep(1000, rowsOf(20, 0));
  const candidate = await keep(2000, rowsOf(20, 12));
  const comparison = await compareStored(await comparedRun(base, runs), await comparedRun('latest', runs), {
    options: OPTIONS,
  });
  const [only] = comparison.comparisons;
  expect({ ...comparison, comparisons: comparison.comparisons.length }).toEqual({
    verdict: 'regressed',
    sentence:
      'regressed: 12 of 20 cases got worse, none better, p < 0.001; the smallest change this run could have seen is about 30 points',
    base,
    candidate,
    options: { ...OPTIONS, on: 'passed' },
    comparisons: 1,
    unpaired: { base: [], candidate: [] },
  });
  expect(only?.newlyFallen).toEqual(['polite']);
  expect(only?.worse.map(({ caseId }) => caseId)).toEqual(Array.from({ length: 12 }, (_, i) => `c${i}`));
  expect(existsSync(FOLDER)).toBe(false);
});

test('the sentence of two runs that leave out expected outcomes says so, for one target and for several', async () => {
  const { runs, keep } = someRuns();
  const settings = { options: { stored: true }, judge: { metrics: [], outcomes: 'off' } };
  const sentencesOf = async (rows: readonly Row[]) => {
    const base = await comparedRun(await keep(1000, rows, { settings }), runs);
    const candidate = await comparedRun(await keep(2000, rows, { settings }), runs);
    const { sentence, comparisons } = await compareStored(base, candidate, { options: OPTIONS });
    return [sentence, ...comparisons.map((each) => each.sentence)];
  };
  const one = await sentencesOf(rowsOf(20, 5));
  const several = await sentencesOf([...rowsOf(20, 5), ...rowsOf(20, 5, 'u')]);
  expect([one.length, several.length]).toEqual([2, 3]);
  expect([...one, ...several].filter((text) => !text.endsWith('; expected outcomes not judged'))).toEqual([]);
});

test('a run that was chosen by the outcomes of a run is not compared with a grade of a grade of it', async () => {
  const { runs, keep } = someRuns();
  const source = await keep(1000, rowsOf(20, 5));
  const graded = await keep(2000, rowsOf(20, 5), { sourceRunId: source });
  const gradedAgain = await keep(3000, rowsOf(20, 5), { sourceRunId: graded });
  const chosen = await keep(4000, rowsOf(5, 0), { chosenFrom: [source] });
  const { manifest, trialsFrom } = await comparedRun(gradedAgain, runs);
  expect(trialsFrom).toEqual([gradedAgain, graded, source]);
  expect(await choiceOf(manifest, runs)).toEqual([gradedAgain, graded, source]);
  const comparison = await compareStored(
    await comparedRun(gradedAgain, runs),
    await comparedRun(chosen, runs),
    { options: OPTIONS },
  );
  expect(comparison.comparisons[0]?.reasons.map(({ code }) => code)).toEqual(['selection']);
});

test('of a run whose source was removed the id of that source is known', async () => {
  const { runs, keep } = someRuns();
  const graded = await keep(2000, rowsOf(2, 0), { sourceRunId: '20260101T000000Z-aaaaaa' });
  const { trialsFrom } = await comparedRun(graded, runs);
  expect(trialsFrom).toEqual([graded, '20260101T000000Z-aaaaaa']);
});

test('a run that is still being written has no verdict', async () => {
  const { runs, keep } = someRuns();
  const base = await comparedRun(await keep(1000, rowsOf(20, 0)), runs);
  const candidate = await comparedRun(await keep(2000, rowsOf(20, 0)), runs);
  const running = { ...candidate, manifest: { ...candidate.manifest, state: 'running' as const } };
  const { verdict, comparisons } = await compareStored(base, running, { options: OPTIONS });
  expect([verdict, comparisons[0]?.reasons.map(({ code }) => code)]).toEqual(['invalid', ['unfinished']]);
});

test('cases with other graders are refused, and the message names the differences', async () => {
  const { runs, keep } = someRuns();
  const base = await comparedRun(await keep(1000, rowsOf(5, 0)), runs);
  const candidate = await comparedRun(await keep(2000, rowsOf(5, 0, 't', 3)), runs);
  const { verdict, comparisons } = await compareStored(base, candidate, { options: OPTIONS });
  const [only] = comparisons;
  const what = 'polite: its settings, its judge, its files or its version';
  expect([verdict, only?.reasons.map(({ code }) => code)]).toEqual(['invalid', ['digests']]);
  expect(only?.graders).toEqual([what]);
  expect(only?.sentence).toContain(`; differences in its graders: ${what}`);
});

test('one target of a run is compared with another one, and several pair by their names', async () => {
  const { runs, keep } = someRuns();
  const id = await keep(1000, [...rowsOf(20, 0, 'old'), ...rowsOf(20, 12, 'new')]);
  const other = await keep(2000, [...rowsOf(20, 0, 'new'), ...rowsOf(20, 0, 'newest')]);
  const sides = await Promise.all([comparedRun(`${id}#old`, runs), comparedRun(`${id}#new`, runs)]);
  const one = await compareStored(...sides, { options: OPTIONS });
  expect([one.verdict, one.comparisons.map(({ targets }) => targets)]).toEqual([
    'regressed',
    [{ base: 'old', candidate: 'new' }],
  ]);
  const whole = await Promise.all([comparedRun(id, runs), comparedRun(other, runs)]);
  const paired = await compareStored(...whole, { options: OPTIONS });
  expect([paired.verdict, paired.unpaired, paired.comparisons.map(({ targets }) => targets)]).toEqual([
    'improved',
    { base: ['old'], candidate: ['newest'] },
    [{ base: 'new', candidate: 'new' }],
  ]);
});

test('a run compared with itself says so', async () => {
  const { runs, keep } = someRuns();
  const side = await comparedRun(await keep(1000, rowsOf(20, 3)), runs);
  const { sentence } = await compareStored(side, side, { options: OPTIONS });
  expect(sentence).toContain('; both sides are the same run, so nothing can differ');
});

test('a target that a run does not have is refused with the nearest one', async () => {
  const { runs, keep } = someRuns();
  const id = await keep(1000, rowsOf(1, 0, 'agent'));
  await expect(comparedRun(`${id}#agnt`, runs)).rejects.toMatchObject({
    code: 'unknown-target',
    message: `${id} has no target "agnt"`,
    hint: `did you mean ${id}#agent?`,
  });
  await expect(comparedRun('2027', runs)).rejects.toMatchObject({ code: 'run-not-found' });
});

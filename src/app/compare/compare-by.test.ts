import { join } from 'node:path';

import { expect, it } from 'vitest';

import type { Row } from '../../core/run.ts';
import { createRedactor } from '../../lib/redact/redact.ts';
import { emptyTally } from '../../reading/tally.ts';
import { memoryRuns } from '../../storage/memory/store.ts';
import { ended, manifestOf, rowOf } from '../../storage/run-directory/fixtures/runs.ts';
import { compareBy } from './compare-by.ts';
import { comparedRun } from './compare-stored.ts';

const OPTIONS = { alpha: 0.05, margin: 0, across: [] } as const;
const MODELS = ['small', 'large'];
const nameOf = (prompt: string, model: string) => `s[prompt=${prompt},model=${model}]`;

async function runOf(
  prompts: readonly string[],
  rows: readonly Row[],
  rolesOf: (prompt: string, model: string) => object = () => ({}),
) {
  const runs = memoryRuns(join(import.meta.dirname, 'no-such-folder'));
  const targets = prompts.flatMap((prompt) =>
    MODELS.map((model) => ({
      name: nameOf(prompt, model),
      type: 'mock',
      config: {},
      digest: 1,
      variant: { base: 's', values: { prompt, model, ...rolesOf(prompt, model) } },
    })),
  );
  const run = await runs.create({
    startedAt: 1000,
    redactor: createRedactor({ environment: {} }),
    manifest: (id) =>
      manifestOf({ id, state: 'running', digests: ['case', 'target'], targets, trials: rows.length }),
  });
  const log = run.openLog(0);
  await log.append(rows.map(ended));
  log.close();
  const { byStatus, costUsd } = emptyTally;
  run.finish({ ...run.manifest, state: 'completed' }, { byStatus, costUsd });
  run.release();
  return await comparedRun(run.manifest.id, runs);
}

interface Cell {
  readonly index: number;
  readonly prompt: string;
  readonly model: string;
}

/** One row per case, prompt and model. */
function rowsOf(cases: number, prompts: readonly string[], passes: (cell: Cell) => boolean): readonly Row[] {
  return Array.from({ length: cases }, (_, index) =>
    prompts.flatMap((prompt) =>
      MODELS.map((model) => {
        const passed = passes({ index, prompt, model });
        const verdict = passed ? ('passed' as const) : ('failed' as const);
        return rowOf(`c${index}`, {
          target: nameOf(prompt, model),
          verdict,
          status: verdict,
          passed,
          score: passed ? 1 : 0,
          grades: [],
          digests: { case: 0, target: 1 },
        });
      }),
    ),
  ).flat();
}

it('compares prompts over all models, with the case as the unit', async () => {
  const rows = rowsOf(20, ['a', 'b'], ({ index, prompt }) => prompt === 'a' || index >= 12);
  const { verdict, sentence, comparisons } = await compareBy(await runOf(['a', 'b'], rows), {
    by: 'prompt',
    options: OPTIONS,
  });
  expect({ verdict, sentence, pairs: comparisons.map(({ result }) => result?.pairs) }).toEqual({
    verdict: 'regressed',
    sentence:
      'prompt b against a: regressed: 12 of 20 cases got worse, none better, p < 0.001; the smallest change this run could have seen is about 30 points',
    pairs: [20],
  });
});

it('compares a system prompt with a message of the user, if each prompt has one role', async () => {
  const rows = rowsOf(20, ['a', 'b'], ({ index, prompt }) => prompt === 'a' || index >= 12);
  const pairsOf = async (rolesOf: (prompt: string, model: string) => object) => {
    const run = await runOf(['a', 'b'], rows, rolesOf);
    const { comparisons } = await compareBy(run, { by: 'prompt', options: OPTIONS });
    return comparisons.map(({ result }) => result?.pairs);
  };
  expect(await pairsOf((prompt) => ({ promptRole: prompt === 'a' ? 'system' : 'user' }))).toEqual([20]);
  expect(await pairsOf((prompt, model) => ({ promptRole: `${prompt} ${model}` }))).toEqual([undefined]);
});

it('compares several values with the chosen base, and corrects for their number', async () => {
  const prompts = ['a', 'b', 'c'];
  const rows = rowsOf(20, prompts, ({ index, prompt }) => prompt !== 'b' || index >= 12);
  const { comparisons } = await compareBy(await runOf(prompts, rows), {
    by: 'prompt',
    baseValue: 'b',
    options: OPTIONS,
  });
  expect(
    comparisons.map(({ targets, verdict, result }) => [targets.candidate, verdict, result?.level]),
  ).toEqual([
    ['prompt=a', 'improved', 0.025],
    ['prompt=c', 'improved', 0.05],
  ]);
});

it('leaves out a target whose counterpart was not measured', async () => {
  const all = rowsOf(20, ['a', 'b'], ({ model }) => model === 'large');
  const rows = all.filter(({ target, caseId }) => target !== nameOf('b', 'small') || caseId !== 'c0');
  const { comparisons } = await compareBy(await runOf(['a', 'b'], rows), { by: 'prompt', options: OPTIONS });
  const [only] = comparisons;
  expect([only?.result?.difference, only?.worse, only?.better]).toEqual([0, [], []]);
});

it('has about 5 % false alarms when the targets of a case agree', async () => {
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  let alarms = 0;
  for (let round = 0; round < 300; round += 1) {
    // Both models answer a case alike, and each prompt draws anew.
    const drawn = new Map<string, boolean>();
    const rows = rowsOf(20, ['a', 'b'], ({ index, prompt }) => {
      const known = drawn.get(`${index} ${prompt}`) ?? random() < 0.6;
      drawn.set(`${index} ${prompt}`, known);
      return known;
    });
    const { verdict } = await compareBy(await runOf(['a', 'b'], rows), { by: 'prompt', options: OPTIONS });
    if (verdict === 'regressed' || verdict === 'improved') alarms += 1;
  }
  expect(alarms).toBeGreaterThan(0);
  expect(alarms).toBeLessThan(300 * 0.08);
});

it('names the dimensions and values that exist', async () => {
  const run = await runOf(
    ['a', 'b'],
    rowsOf(1, ['a', 'b'], () => true),
  );
  await expect(compareBy(run, { by: 'promt', options: OPTIONS })).rejects.toMatchObject({
    code: 'unknown-target',
    hint: 'did you mean --by prompt?',
  });
  await expect(compareBy(run, { by: 'temperature', options: OPTIONS })).rejects.toMatchObject({
    code: 'unknown-target',
    message: expect.stringMatching(/^the variants of \S+ do not differ in "temperature"$/),
    hint: 'its variants differ in prompt, model',
  });
  await expect(compareBy(run, { by: 'prompt', baseValue: 'x', options: OPTIONS })).rejects.toMatchObject({
    hint: 'it has a, b',
  });
});

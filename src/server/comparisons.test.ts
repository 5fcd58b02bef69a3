import { describe, expect, test } from 'vitest';

import { compareRuns } from '../app/compare-runs.ts';
import { ended, rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { viewedRuns, failed } from '../../test/support/viewed-runs.ts';

const { begin, keep, ask, asked, runs } = viewedRuns();

describe('trends', () => {
  test('have a point for each run and target that has ended, oldest first', async () => {
    const first = await keep(1000, [ended(rowOf('a'))]);
    const second = await keep(2_000_000, [ended(rowOf('a')), failed('b')]);
    await begin(3_000_000, 1);
    const { data } = await asked('/trends?target=t');
    expect(data.map(({ run_id, rate, errored }) => [run_id, rate, errored])).toEqual([
      [first, 1, 0],
      [second, 0.5, 0],
    ]);
    expect(data[1]).toMatchObject({
      target: 't',
      counts: { total: 2, passed: 1, failed: 1 },
      score: 0.5,
      scored_in: 'fraction',
      cost_usd: null,
      latency_p95_ms: null,
      flake_rate: null,
      agent_version: null,
    });
    expect((await asked('/trends?target=other')).data).toEqual([]);
  });

  test('say that the scores of stored cases are shown in percent', async () => {
    await keep(1000, [ended(rowOf('a', { suite: 'stored' }))], { settings: { options: { stored: true } } });
    const { data } = await asked('/trends');
    expect(data.map(({ score, scored_in }) => [score, scored_in])).toEqual([[1, 'percent']]);
  });
});

describe('a comparison', () => {
  test('is the document that the command line prints', async () => {
    const base = await keep(1000, [ended(rowOf('a'))]);
    const candidate = await keep(2_000_000, [failed('a', 1)]);
    const request = {
      base,
      candidate,
      options: { on: undefined, margin: 0.05, alpha: 0.05, across: [] },
    };
    const expected = await compareRuns(request, {
      cwd: '/nowhere',
      environment: {},
      now: Date.now,
      commandLine: [],
      runs: runs(),
    });
    expect(await asked(`/comparisons?base=${base}&candidate=${candidate}`)).toEqual(
      JSON.parse(JSON.stringify(expected)),
    );
    expect(expected.comparisons).toHaveLength(1);
    const { status } = await ask(`/comparisons?base=${base}&candidate=${candidate}%23other`);
    expect(status).toBe(404);
  });

  test('takes what the command line takes: across, on and margin, and a target of a side', async () => {
    const base = await keep(1000, [ended(rowOf('a')), ended(rowOf('b', { number: 2 }))]);
    const other = ended(rowOf('a', { digests: { case: 1, target: 0 }, score: 0.9 }));
    const candidate = await keep(2_000_000, [other, ended(rowOf('c', { number: 2 }))]);
    const options = { on: 'passed', margin: 0.2, alpha: 0.05, across: ['case', 'selection'] } as const;
    const expected = await compareRuns(
      { base: `${base}#t`, candidate, options },
      { cwd: '/', environment: {}, now: Date.now, commandLine: [], runs: runs() },
    );
    const query = `base=${base}%23t&candidate=${candidate}&on=passed&margin=0.2&across=case&across=selection`;
    const answered = await asked(`/comparisons?${query}`);
    expect(answered).toEqual(JSON.parse(JSON.stringify(expected)));
    expect(answered['comparisons']).toMatchObject([
      { onlyInBase: [{ caseId: 'b' }], onlyInCandidate: [{ caseId: 'c' }] },
    ]);
  });

  test('tells by tag how many cases got worse and better', async () => {
    const tags = ['card'];
    const base = await keep(1000, [
      ended(rowOf('a', { tags })),
      ended(rowOf('b', { tags, number: 2, score: 0.9 })),
    ]);
    const candidate = await keep(2_000_000, [
      ended(rowOf('a', { tags, score: 0.5, verdict: 'failed', status: 'failed' })),
      ended(rowOf('b', { tags, number: 2 })),
    ]);
    const { data } = await asked(`/comparisons/tags?base=${base}&candidate=${candidate}`);
    expect(data).toEqual([
      {
        base: 't',
        candidate: 't',
        on: 'score',
        tags: [{ tag: 'card', pairs: 2, worse: 1, better: 1, base: 0.95, candidate: 0.75 }],
      },
    ]);
  });

  test('follows a side that is written', async () => {
    const base = await keep(1000, [ended(rowOf('a'))]);
    const run = await begin(2_000_000, 2);
    const log = run.openLog(0);
    const query = `/comparisons?base=${base}&candidate=${run.manifest.id}`;
    await log.append([ended(rowOf('b'))]);
    expect(await asked(query)).toMatchObject({ comparisons: [{ onlyInCandidate: [{ caseId: 'b' }] }] });
    await log.append([ended(rowOf('c', { number: 2 }))]);
    const { comparisons } = await asked(query);
    expect((comparisons as readonly { onlyInCandidate: unknown[] }[])[0]?.onlyInCandidate).toHaveLength(2);
    log.close();
    run.release();
  });
});

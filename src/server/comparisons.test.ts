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
      cost_usd: 0,
      latency_p95_ms: null,
      flake_rate: null,
      agent_version: null,
    });
    expect((await asked('/trends?target=other')).data).toEqual([]);
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
});

import { expect, test } from 'vitest';

import { usageOf } from '../core/usage.ts';
import { ended, rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { failed, viewedRuns } from '../../test/support/viewed-runs.ts';

const { begin, keep, ask, asked } = viewedRuns();

const judged = ended(
  rowOf('a', {
    number: 1,
    durationMs: 9,
    costUsd: { agent: 0.1, judge: 0.4 },
    usage: { agent: usageOf(10, 5, { reasoningTokens: 2 }) },
  }),
);

test('a run tells what it spent by role, target and case, and which trials were dearest', async () => {
  const id = await keep(1000, [judged, ended(rowOf('b', { number: 2, costUsd: { agent: null } }))]);
  const cost = await asked(`/runs/${id}/cost`);
  const money = { cost_usd: null, known_usd: 0.5, unknown_trials: 1 };
  const agent = {
    role: 'agent',
    cost_usd: null,
    known_usd: 0.1,
    unknown_trials: 1,
    input_tokens: 10,
    cache_read_tokens: null,
    cache_write_tokens: null,
    output_tokens: 5,
    reasoning_tokens: 2,
    total_tokens: 15,
  };
  expect(cost['total']).toMatchObject({ trials: 2, ...money });
  expect((cost['total'] as { roles: unknown[] }).roles).toMatchObject([
    agent,
    { role: 'judge', cost_usd: 0.4, input_tokens: null },
  ]);
  expect(cost['targets']).toMatchObject([{ target: 't', trials: 2, ...money }]);
  expect(cost['cases']).toMatchObject([
    { case_id: 'a', trials: 1, cost_usd: 0.5, duration_ms: 9 },
    { case_id: 'b', trials: 1, cost_usd: null, known_usd: 0, unknown_trials: 1 },
  ]);
  expect(cost['case_count']).toBe(2);
  expect(cost['dearest']).toMatchObject([{ number: 1, cost_usd: 0.5 }]);
});

test('its values stand in histograms, of all targets or of one', async () => {
  const id = await keep(1000, [judged, failed('b')]);
  const { data } = await asked(`/runs/${id}/distributions?target=t`);
  expect(data.map(({ measure, unit, n }) => [measure, unit, n])).toEqual([
    ['score', 'fraction', 2],
    ['duration', 'ms', 2],
    ['latency', 'ms', 0],
    ['cost', 'usd', 1],
    ['tokens', 'tokens', 1],
  ]);
  const unknown = await ask(`/runs/${id}/distributions?target=u`);
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { code: 'unknown-target' } }]);
});

test('figures of a running run follow its log', async () => {
  const run = await begin(1000, 2);
  const log = run.openLog(0);
  await log.append([judged]);
  const place = `/runs/${run.manifest.id}/cost`;
  expect((await asked(place))['total']).toMatchObject({ trials: 1 });
  await log.append([failed('b')]);
  expect((await asked(place))['total']).toMatchObject({ trials: 2 });
  log.close();
  run.release();
});

test('without spending, each cost is null, and sums have no rounding errors', async () => {
  const free = await keep(1000, [failed('b')]);
  const cost = await asked(`/runs/${free}/cost`);
  const nothing = { cost_usd: null, known_usd: 0, known_trials: 0, unknown_trials: 0 };
  expect([cost['total'], ...(cost['cases'] as unknown[]), ...(cost['slowest'] as unknown[])]).toMatchObject([
    nothing,
    nothing,
    nothing,
  ]);
  expect((await asked('/trends')).data).toMatchObject([{ cost_usd: null, cost_unknown: false }]);
  const id = await keep(2_000_000, [
    ended(rowOf('a', { number: 1, costUsd: { agent: 0.1, judge: 0.2 } })),
    ended(rowOf('b', { number: 2, costUsd: { agent: null } })),
  ]);
  expect((await asked(`/runs/${id}/trials`)).data.map(({ cost_usd }) => cost_usd)).toEqual([0.3, null]);
  expect((await asked('/trends')).data.at(-1)).toMatchObject({ cost_usd: null, cost_unknown: true });
});

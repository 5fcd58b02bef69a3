import { expect, test } from 'vitest';

import { startJudge } from '../../test/e2e/support/talkers.ts';
import { heldAgent } from '../../test/support/held-agent.ts';
import { runsOverApi } from '../../test/support/runs-over-api.ts';
import { onServedStores } from '../../test/support/served-store.ts';

/** Keys of times, attempts and places. */
const OF_ONE_RUN = /^(?:attempts|artifactDir|latency|at)$|(?:At|Ms)$/;

function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !OF_ONE_RUN.test(key));
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutTimes(each)]));
}

onServedStores('runs that go on', (served) => {
  const { ask, url } = served;
  const { project, add, start, end } = runsOverApi(served);
  const rowsOf = async (run: string) => {
    const text = await (await fetch(`${url()}/api/v1/runs/${run}/export?format=jsonl`)).text();
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly number: number });
    return rows.toSorted((one, other) => one.number - other.number).map(withoutTimes);
  };

  test('equal an uninterrupted run but for times and attempts', async () => {
    const agent = await heldAgent((text) => text === 'wrong 2');
    project(agent);
    await add('right 1', 'wrong 2', 'right 3', 'right 4');
    const { body: cut } = await start({ concurrency: 1, seed: 5 });
    await agent.came(2);
    await ask('POST', `/runs/${cut.id}/cancel`, { body: {} });
    const { run: stopped } = await end(cut.id);
    expect(stopped.totals?.counts).toMatchObject({ total: 4, passed: 1, cancelled: 1, skipped: 2 });
    agent.release();
    await ask('POST', `/runs/${cut.id}/resume`, { body: { retry: ['cancelled'] } });
    const { run: resumed } = await end(cut.id);
    const { body: whole } = await start({ concurrency: 1, seed: 5 });
    const { run: uninterrupted } = await end(whole.id);
    expect(await rowsOf(cut.id)).toEqual(await rowsOf(whole.id));
    expect([resumed.state, resumed.totals?.counts]).toEqual([
      uninterrupted.state,
      uninterrupted.totals?.counts,
    ]);
    const again = await ask('POST', `/runs/${cut.id}/cancel`, { body: {} });
    expect([again.status, again.body.error.code]).toEqual([409, 'run-finished']);
  });

  test('are graded again with another pass threshold, and the trial shows both', async () => {
    await using judge = await startJudge(() => ({ usual: 3 }));
    const agent = await heldAgent();
    project(agent, {
      judge: { model: 'bench/judge', metrics: [{ metric: 'tone' }] },
      models: { bench: { baseUrl: `${judge.url}/v1` } },
      run: { seed: 3 },
    });
    const tone = { id: 'tone', kind: 'scored', default_weight: 1, rubric: 'Is it kind?' };
    await ask('POST', '/metrics', { body: tone });
    await add('right 1');
    const { body } = await start();
    const { run: source } = await end(body.id);
    expect(source.totals?.counts).toMatchObject({ total: 1, failed: 1 });
    const begun = await ask('POST', `/runs/${body.id}/regrade`, { body: { judge: { pass_threshold: 60 } } });
    expect(begun.status).toBe(202);
    const { run } = await end(begun.body.id);
    expect(run).toMatchObject({ kind: 'grade', totals: { counts: { total: 1, passed: 1 } } });
    expect(agent.asked).toEqual(['right 1']);
    expect((await ask('GET', `/runs/${body.id}`)).body).toEqual(source);
    const shown = async (query: string) => {
      const { row } = (await ask('GET', `/runs/${body.id}/trials/1${query}`)).body;
      return [row.number, row.verdict];
    };
    expect([await shown(''), await shown(`?grading=${run.id}`)]).toEqual([
      [1, 'failed'],
      [1, 'passed'],
    ]);
  });
});

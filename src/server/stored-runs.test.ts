import { expect, test } from 'vitest';

import { startJudge } from '../../test/e2e/support/talkers.ts';
import { heldAgent } from '../../test/support/held-agent.ts';
import { onServedStores, type ServedStore } from '../../test/support/served-store.ts';
import { runsOverApi } from '../../test/support/runs-over-api.ts';

onServedStores('runs of a server', (served: ServedStore) => {
  const { ask, url } = served;
  const { project, add, start, end, trials } = runsOverApi(served);

  test('are cancelled: trials in flight end so, the others count as skipped, and are resumed', async () => {
    const agent = await heldAgent((text) => text !== 'right 1');
    project(agent);
    await add('right 1', 'right 2', 'right 3', 'right 4', 'wrong 5');
    const { body } = await start();
    await agent.came(3);
    const cancelled = await ask('POST', `/runs/${body.id}/cancel`, { body: {} });
    expect(cancelled.status).toBe(202);
    const { run } = await end(body.id);
    expect(run).toMatchObject({
      state: 'stopped',
      totals: { counts: { total: 5, passed: 1, cancelled: 2, skipped: 2 } },
    });
    const again = await ask('POST', `/runs/${body.id}/cancel`);
    expect([again.status, again.body.error.code]).toEqual([409, 'run-finished']);

    agent.release();
    const resumed = await ask('POST', `/runs/${body.id}/resume`, { body: { retry: ['cancelled'] } });
    expect([resumed.status, resumed.body.id]).toEqual([202, body.id]);
    const whole = await end(body.id);
    expect(whole.run).toMatchObject({
      state: 'completed',
      totals: { counts: { total: 5, passed: 4, failed: 1 } },
    });
    const states = whole.events.flatMap(({ fact }) => (fact.type === 'run-state' ? [fact] : []));
    expect(states.map((fact) => (fact as { state?: string }).state)).toEqual([
      'running',
      'stopping',
      'stopped',
      'completed',
    ]);
    const json = { 'Content-Type': 'application/json' };
    for (const asked of [{ body: {} }, {}, { headers: json }, { body: '', headers: json }]) {
      const nothing = await ask('POST', `/runs/${body.id}/resume`, asked);
      expect([nothing.status, nothing.body.error.code]).toEqual([409, 'nothing-to-resume']);
    }
    const untyped = await fetch(`${url()}/api/v1/runs/${body.id}/resume`, {
      method: 'POST',
      body: Buffer.from('{}'),
    });
    expect(untyped.status).toBe(415);
  });

  test('use what was frozen: an edited and archived case is resumed as it was', async () => {
    const agent = await heldAgent((text) => text === 'right 2');
    project(agent);
    const [, second = ''] = await add('right 1', 'right 2');
    const { body } = await start({ concurrency: 1 });
    await agent.came(2);
    await ask('PATCH', `/test-cases/${second}`, {
      body: { initial_message: 'wrong now', status: 'archived' },
      headers: { 'If-Match': '*' },
    });
    await ask('POST', `/runs/${body.id}/cancel`, { body: {} });
    await end(body.id);
    agent.release();
    await ask('POST', `/runs/${body.id}/resume`, { body: { retry: ['cancelled'] } });
    const { run } = await end(body.id);
    expect([run.totals?.counts.passed, agent.asked]).toEqual([2, ['right 1', 'right 2', 'right 2']]);
  });

  test('are judged by metrics of the store as they were, and not after they were cancelled', async () => {
    const prompts: string[] = [];
    await using judge = await startJudge((prompt) => {
      prompts.push(prompt);
      return { usual: 5 };
    });
    const agent = await heldAgent((text) => text === 'second');
    project(agent, {
      judge: { model: 'bench/judge', metrics: [{ metric: 'tone' }] },
      models: { bench: { baseUrl: `${judge.url}/v1` } },
      run: { seed: 3, concurrency: 1 },
    });
    const tone = { kind: 'scored', default_weight: 1 };
    await ask('POST', '/metrics', { body: { id: 'tone', ...tone, rubric: 'Is it kind?' } });
    await add('first', 'second');
    const { body } = await start();
    await agent.came(2);
    const headers = { 'If-Match': '*' };
    await ask('PUT', '/metrics/tone', { body: { ...tone, rubric: 'Is it loud?' }, headers });
    await ask('POST', `/runs/${body.id}/cancel`, { body: {} });
    await end(body.id);
    expect(prompts).toHaveLength(1);
    agent.release();
    await ask('POST', `/runs/${body.id}/resume`, { body: { retry: ['cancelled'] } });
    const { run } = await end(body.id);
    expect([run.state, run.totals?.counts.passed]).toEqual(['completed', 2]);
    expect(prompts.map((prompt) => [prompt.includes('kind?'), prompt.includes('loud?')])).toEqual([
      [true, false],
      [true, false],
    ]);
  });

  test('are graded again by other expectations, without asking the agent', async () => {
    const agent = await heldAgent();
    project(agent);
    const [first] = await add('right 1', 'wrong 2');
    const { body } = await start({ line: 'main' });
    const { run: source } = await end(body.id);
    const request = { expectations: [{ type: 'contains', value: 'wrong' }] };
    const begun = await ask('POST', `/runs/${body.id}/regrade`, { body: request });
    expect(begun.status).toBe(202);
    const { run } = await end(begun.body.id);
    expect(run).toMatchObject({
      kind: 'grade',
      source_run_id: source.id,
      state: 'completed',
      line: 'main',
      origin: 'server',
    });
    const verdicts = async (id: string) =>
      (await trials(id)).map(({ number, verdict }) => [number, verdict]).toSorted();
    expect([await verdicts(source.id), await verdicts(run.id)]).toEqual([
      [
        [1, 'passed'],
        [2, 'failed'],
      ],
      [
        [1, 'failed'],
        [2, 'passed'],
      ],
    ]);
    expect(agent.asked).toHaveLength(2);
    const some = await ask('POST', `/runs/${body.id}/regrade`, { body: { select: { id: [first] } } });
    expect((await end(some.body.id)).run.totals?.counts.total).toBe(1);
    expect((await ask('GET', `/runs/${source.id}`)).body).toEqual(source);
  });

  test('are named, noted, tagged and archived under their ETag', async () => {
    project(await heldAgent());
    await add('right 1');
    const { body } = await start();
    await end(body.id);
    const read = await ask('GET', `/runs/${body.id}`);
    const etag = read.headers.get('etag') ?? '';
    const change = (asked: object, match: string) =>
      ask('PATCH', `/runs/${body.id}`, { body: asked, headers: { 'If-Match': match } });
    expect((await ask('PATCH', `/runs/${body.id}`, { body: { name: 'x' } })).status).toBe(428);
    const named = await change({ name: 'x', note: 'why', tags: ['b'] }, etag);
    expect([named.status, named.body]).toEqual([200, { ...read.body, name: 'x', note: 'why', tags: ['b'] }]);
    const stale = await change({ name: 'y' }, etag);
    expect([stale.status, stale.body.error.current]).toMatchObject([412, { name: 'x' }]);
    const archived = await change({ archived: true, name: null }, named.headers.get('etag') ?? '');
    expect([archived.status, archived.body.name, archived.body.archived_at]).toEqual([
      200,
      null,
      expect.any(String),
    ]);
    expect((await change({ archived: false }, '*')).body.archived_at).toBeNull();
    expect((await change({ nam: 'x' }, '*')).status).toBe(422);
  });
});

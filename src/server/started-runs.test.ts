import { expect, test, vi } from 'vitest';

import { heldAgent } from '../../test/support/held-agent.ts';
import { onServedStores, type ServedStore } from '../../test/support/served-store.ts';
import { runsOverApi } from '../../test/support/runs-over-api.ts';
import { issueToken } from '../app/access/api-token.ts';
import { AssayError } from '../core/errors.ts';

onServedStores('runs that a server starts', (served: ServedStore) => {
  const { ask, store } = served;
  const { project, add, start, end, trials } = runsOverApi(served);

  test('are planned and begun by one request; feed, run, trials and matrix agree', async () => {
    const agent = await heldAgent();
    project(agent);
    const ids = await add('right 1', 'wrong 2', 'right 3', 'right 4');
    const begun = await start({ name: 'nightly', line: 'main', tags: ['a'], repetitions: 1 });
    expect([begun.status, begun.headers.get('location')]).toEqual([202, `/api/v1/runs/${begun.body.id}`]);
    const { events, run } = await end(begun.body.id);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)?.fact).toEqual({ type: 'run-end', state: 'completed' });
    expect(run).toMatchObject({
      state: 'completed',
      name: 'nightly',
      line: 'main',
      tags: ['a'],
      origin: 'server',
      planned: 4,
      totals: { counts: { total: 4, passed: 3, failed: 1 } },
    });
    const rows = await trials(run.id);
    expect(rows.map(({ number, case_id, verdict }) => [number, case_id, verdict])).toEqual(
      expect.arrayContaining([
        [1, ids[0], 'passed'],
        [2, ids[1], 'failed'],
        [3, ids[2], 'passed'],
        [4, ids[3], 'passed'],
      ]),
    );
    const matrix = (await ask('GET', `/runs/${run.id}/matrix`)).body;
    expect(JSON.stringify(matrix)).toContain(ids[1]);
    expect(agent.asked.toSorted()).toEqual(['right 1', 'right 3', 'right 4', 'wrong 2']);
    const listed = async (query: string) => (await ask('GET', `/runs?${query}`)).body.data.length;
    expect(
      await Promise.all(
        ['tag=a', 'tag=b', 'line=main', 'line=other', 'search=NIGHT', 'state=completed', 'state=running'].map(
          listed,
        ),
      ),
    ).toEqual([1, 0, 1, 0, 1, 1, 0]);
  });

  test('of one case know its name', async () => {
    project(await heldAgent());
    const [first, second] = await add('right 1', 'right 2');
    const suitesOf = async (id: readonly (string | undefined)[]) => {
      const { body } = await start({ select: { id } });
      await end(body.id);
      return (await ask('GET', `/runs/${body.id}`)).body.manifest?.suites;
    };
    expect(await suitesOf([first])).toMatchObject([{ cases: 1, onlyCase: 'right 1' }]);
    const both = await suitesOf([first, second]);
    expect(both).toMatchObject([{ cases: 2 }]);
    expect(both?.[0]).not.toHaveProperty('onlyCase');
  });

  test('are refused with all problems at once, and nothing is kept', async () => {
    project(await heldAgent());
    const refused = await start({
      concurrency: 0,
      select: { tag_all: ['none'] },
      judge: { metrics: [{ metric: 'tool_routng' }] },
      expectations: [
        { type: 'code_judge', script: 'exit 0' },
        { type: 'llm_judge', prompt: './prompt.md' },
      ],
      difficultly: 'x',
    });
    expect(refused.status).toBe(422);
    const problems: readonly { code: string; param: string }[] = refused.body.error.problems;
    expect(problems.map(({ code, param }) => `${param} ${code}`).toSorted()).toEqual([
      'concurrency invalid-value',
      'difficultly unknown-key',
      'expectations.0 not-in-request',
      'expectations.1 not-in-request',
      'judge.metrics.0.metric unknown-metric',
      'select empty-selection',
    ]);
    const empty = await start({ select: { tag_all: ['none'] } });
    expect([empty.status, empty.body.error.code]).toEqual([422, 'empty-selection']);
    expect((await ask('GET', '/runs')).body.data).toEqual([]);
  });

  test('are begun once, however often the same request is sent', async () => {
    project(await heldAgent());
    await add('right 1');
    const headers = { 'Idempotency-Key': 'k1' };
    const [first, again] = [
      await ask('POST', '/runs', { body: { select: {} }, headers }),
      await ask('POST', '/runs', { body: { select: {} }, headers }),
    ];
    expect([again.status, again.body.id, again.headers.get('idempotency-replayed')]).toEqual([
      202,
      first.body.id,
      'true',
    ]);
    expect((await ask('GET', '/runs')).body.data).toHaveLength(1);
    await end(first.body.id);
  });

  test('are begun once, also when the same request comes 20 times at once', async () => {
    project(await heldAgent());
    await add('right 1');
    const headers = { 'Idempotency-Key': 'k20' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask('POST', '/runs', { body: { select: {} }, headers })),
    );
    const { data } = (await ask('GET', '/runs')).body;
    expect(data).toHaveLength(1);
    const id = String(data[0]?.id);
    const others = answers.map(({ status, body }) => (status === 202 ? body.id : [status, body.error.code]));
    expect(new Set(others.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify(id), JSON.stringify([409, 'idempotency-running'])]),
    );
    await end(id);
  });

  test('are compared with the baseline that holds for their target and line', async () => {
    project(await heldAgent());
    await add('right 1', 'right 2');
    const none = await start({ baseline: true });
    expect([none.status, none.body.error]).toMatchObject([
      422,
      { code: 'no-baseline', param: 'baseline', message: expect.stringContaining('in the line "stored"') },
    ]);
    const first = (await start({ line: 'main' })).body.id;
    await end(first);
    const body = { target: 'bot', line: 'main', run_id: first };
    const set = await ask('POST', '/baselines', { body });
    expect(set.status).toBe(201);
    const { run } = await end((await start({ line: 'main', baseline: true })).body.id);
    expect(run.baseline).toMatchObject({ run_id: first });
  });

  test('take threshold, sample, limit, fail_fast and strict as on the command line', async () => {
    project(await heldAgent());
    await add('right 1', 'wrong 2', 'right 3');
    const limited = await start({ limit: 1, dry_run: true });
    const sampled = await start({ sample: 2, dry_run: true });
    expect([limited.body.trials, sampled.body.trials]).toEqual([1, 2]);
    const begun = await start({ concurrency: 1, fail_fast: true, threshold: 0.5 });
    const { run } = await end(begun.body.id);
    expect([run.state, run.totals?.counts.failed, run.manifest?.settings.threshold]).toEqual([
      'stopped',
      1,
      0.5,
    ]);
    const strict = await start({ gates: ['pass_rate >= 0.5'], strict: true });
    expect((await end(strict.body.id)).run.manifest?.exitCode).toBe(1);
  });

  test('are the answer to the same request, even if the first answer was not stored', async () => {
    project(await heldAgent());
    await add('right 1');
    const asked = { body: { select: {} }, headers: { 'Idempotency-Key': 'k2' } };
    const gone = new AssayError('lease-lost', 'the answer was not stored', { stage: 'log' });
    vi.spyOn(store().idempotency, 'finish').mockRejectedValueOnce(gone);
    const lost = await ask('POST', '/runs', asked);
    const again = await ask('POST', '/runs', asked);
    const runs = (await ask('GET', '/runs')).body.data;
    expect([lost.status, again.status, again.headers.get('idempotency-replayed'), runs.length]).toEqual([
      409,
      202,
      'true',
      1,
    ]);
    expect([again.body.id, again.headers.get('location')]).toEqual([
      runs[0]?.id,
      `/api/v1/runs/${runs[0]?.id}`,
    ]);
    await end(again.body.id);
  });

  test('need no judge where nothing asks one', async () => {
    const agent = await heldAgent();
    project(agent, { judge: undefined });
    await add('right 1');
    const needed = await start({ dry_run: true });
    expect([needed.status, needed.body.error.code]).toEqual([422, 'no-judge']);
    const calls = { name: 'right 2', initial_message: 'right 2', expected_tool_calls: [] };
    await ask('POST', '/test-cases', { body: calls });
    const begun = await start({ judge: { metrics: [] } });
    expect([begun.status, begun.body.error?.code]).toEqual([202, undefined]);
    expect((await end(begun.body.id)).run.totals?.counts).toMatchObject({ total: 2, passed: 2 });
    project(agent, { judge: { metrics: [] } });
    const { body } = await start();
    expect((await end(body.id)).run.totals?.counts).toMatchObject({ total: 2, passed: 2 });
    const outcome = { name: 'right 3', initial_message: 'right 3', expected_outcomes: { done: true } };
    await ask('POST', '/test-cases', { body: outcome });
    expect((await start()).body.error.code).toBe('no-judge');
  });

  test('have the pass threshold of their cases among their settings', async () => {
    project(await heldAgent());
    await add('right 1');
    const thresholds = async (body: object) => {
      const { threshold } = (await start({ ...body, dry_run: true })).body.settings;
      const { run } = await end((await start(body)).body.id);
      const [row] = await trials(run.id);
      return [threshold, run.manifest?.settings.threshold, row?.threshold];
    };
    const judge = (more: object) => ({ judge: { metrics: [], ...more } });
    expect([
      await thresholds({}),
      await thresholds(judge({ pass_threshold: 60 })),
      await thresholds({ ...judge({ score_gate: 'never' }), threshold: 0.5 }),
      await thresholds(judge({ score_gate: 'never' })),
    ]).toEqual([
      [0.75, 0.75, 0.75],
      [0.6, 0.6, 0.6],
      [0.5, 0.5, 0.5],
      [0, 0, 0],
    ]);
  });

  test('can only be planned: the answer is the plan, and nothing is kept', async () => {
    const agent = await heldAgent();
    project(agent);
    await add('right 1');
    const { status, body } = await start({ dry_run: true, repetitions: 3 });
    expect([status, body.trials]).toEqual([200, 3]);
    expect([(await ask('GET', '/runs')).body.data, agent.asked]).toEqual([[], []]);
  });
});

onServedStores(
  'runs of a server with tokens',
  (served: ServedStore) => {
    const { ask, store } = served;
    const { project } = runsOverApi(served);

    test('are begun by members, and not by viewers', async () => {
      project(await heldAgent());
      const headersOf = async (role: 'member' | 'viewer') => {
        const account = await store().accounts.add({ email: `${role}@example.com`, role });
        if (account === undefined) throw new Error('the e-mail is free');
        const { token, hash: sha256 } = issueToken();
        await store().tokens.create({ accountId: account.id, name: role, role, sha256 });
        return { Authorization: `Bearer ${token}` };
      };
      const [member, viewer] = [await headersOf('member'), await headersOf('viewer')];
      const name = { name: 'one', initial_message: 'right one' };
      await ask('POST', '/test-cases', { body: name, headers: member });
      const start = (headers: Record<string, string>) =>
        ask('POST', '/runs', { body: { select: {} }, headers });
      const refused = await start(viewer);
      expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
      const begun = await start(member);
      expect([begun.status, begun.body.origin]).toEqual([202, 'server']);
      const accounts = await ask('POST', '/accounts', {
        body: { email: 'x@example.com', role: 'viewer' },
        headers: member,
      });
      expect(accounts.status).toBe(403);
      await vi.waitFor(async () => {
        const { body } = await ask('GET', `/runs/${begun.body.id}`, { headers: viewer });
        expect(body.state).toBe('completed');
      }, PATIENCE_MS);
    });
  },
  'token',
);

/** Longer than a busy machine takes. */
const PATIENCE_MS = 60_000;

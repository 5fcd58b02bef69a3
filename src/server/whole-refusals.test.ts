import { expect, test } from 'vitest';

import { heldAgent } from '../../test/support/held-agent.ts';
import { runsOverApi } from '../../test/support/runs-over-api.ts';
import type { Refusal } from '../../test/support/answered.ts';
import { onServedStores, type Answered } from '../../test/support/served-store.ts';

type Refused = Pick<Answered<Refusal>, 'status' | 'body'>;

/** Status and problems, by parameter. */
function shortly({ status, body }: Refused) {
  const problems = (body.error.problems ?? []).map(({ param, code }) => `${param} ${code}`);
  return [status, ...problems.toSorted()];
}

onServedStores('a body with mistakes', (served) => {
  const { ask } = served;
  const { project, add, start, end } = runsOverApi(served);

  test('is refused once, with the mistakes of gates, baseline and text among the others', async () => {
    project(await heldAgent());
    await add('right 1');
    const refused = await ask('POST', '/runs', {
      body: {
        name: 'a\u0000b',
        gates: ['pass_rat > 0.5', 'pass_rate >= 0.5', 'pass_rate >= 2'],
        baseline: { run_id: '../../etc' },
        repetitions: 0,
      },
    });
    expect(shortly(refused)).toEqual([
      422,
      'baseline.run_id run-not-found',
      'gates.0 gate-unreadable',
      'gates.2 gate-impossible',
      'name invalid-value',
      'repetitions invalid-value',
      'select missing-key',
    ]);
    expect(JSON.stringify(refused.body)).not.toContain(served.folder);
    expect(shortly(await start({ gates: ['pass^3 >= 0.5'] }))).toEqual([422, 'gates.0 gate-impossible']);
  });

  test('names the part of a baseline that is unknown', async () => {
    project(await heldAgent());
    await add('right 1');
    const { id } = (await start()).body;
    await end(id);
    const refusedWith = async (baseline: object) => shortly(await start({ baseline }));
    expect([
      await refusedWith({ run_id: '20200101T000000Z-aaaaaa' }),
      await refusedWith({ run_id: id, target: 'boot' }),
    ]).toEqual([
      [422, 'baseline.run_id run-not-found'],
      [422, 'baseline.target unknown-target'],
    ]);
    const { run } = await end((await start({ baseline: { run_id: id, target: 'bot' } })).body.id);
    expect(run.baseline).toMatchObject({ run_id: id });
  });

  test('of a regrade or a resume is refused once too', async () => {
    project(await heldAgent());
    await add('right 1');
    const { id } = (await start()).body;
    await end(id);
    const body = {
      target: 'boot',
      budget_usd: -1,
      judge: { metrics: [{ metric: 'tool_routng' }] },
      expectations: [{ type: 'code_judge', script: 'exit 0' }],
      select: { set: 'no\u0000' },
    };
    expect(shortly(await ask('POST', `/runs/${id}/regrade`, { body }))).toEqual([
      422,
      'budget_usd invalid-value',
      'expectations.0 not-in-request',
      'judge.metrics.0.metric unknown-metric',
      'select.set invalid-value',
      'target unknown-target',
    ]);
    const again = { retry: ['failed'], concurrency: 0 };
    expect(shortly(await ask('POST', `/runs/${id}/resume`, { body: again }))).toEqual([
      422,
      'concurrency invalid-value',
      'retry.0 invalid-value',
    ]);
  });

  test('that is no object says what is expected and what came', async () => {
    project(await heldAgent());
    const messages = async (path: string, ...bodies: readonly string[]) => {
      const answers = await Promise.all(bodies.map((body) => ask('POST', path, { body })));
      return answers.map(({ status, body }) => [status, body.error.code, body.error.message]);
    };
    const all = ['null', '3', '"x"', '[]'];
    const expected = [
      [422, 'wrong-type', 'the body: expected an object, got null'],
      [422, 'wrong-type', 'the body: expected an object, got 3'],
      [422, 'wrong-type', 'the body: expected an object, got "x"'],
      [422, 'wrong-type', 'the body: expected an object, got a list'],
    ];
    expect(await messages('/runs', ...all)).toEqual(expected);
    expect(await messages('/test-cases', ...all)).toEqual(expected);
    expect(await messages('/agents', ...all)).toEqual(expected);
    expect(await messages('/case-sets', ...all)).toEqual(expected);
    const [id = ''] = await add('one');
    const mocks = await ask('PUT', `/test-cases/${id}/mocks`, { body: '{}', headers: { 'If-Match': '*' } });
    expect(mocks.body.error.message).toBe('the body: expected a list, got an object');
  });

  test('tells each mistake once, with the known keys', async () => {
    project(await heldAgent());
    await add('right 1');
    expect(shortly(await ask('POST', '/test-cases', { body: { id: 'x', name: 'a' } }))).toEqual([
      422,
      'id server-set',
    ]);
    const nul = { name: 'a\u0000', tags: 'x', difficulty: 'easy' };
    expect(shortly(await ask('POST', '/test-cases', { body: nul }))).toEqual([
      422,
      'difficulty invalid-value',
      'name invalid-value',
      'tags wrong-type',
    ]);
    expect(shortly(await ask('POST', '/agents', { body: { name: 'a', note: '\u0000' } }))).toEqual([
      422,
      'config missing-key',
      'note invalid-value',
    ]);
    const unknown = await start({ zebra: 1 });
    expect(unknown.body.error).toMatchObject({
      code: 'unknown-key',
      param: 'zebra',
      hint: expect.stringMatching(/^known: name, note, line, tags, agents, .*, dry_run$/),
    });
    const ofCase = await ask('POST', '/test-cases', { body: { name: 'a', zebra: 1 } });
    expect(ofCase.body.error.hint).toMatch(/^known: .*name, .*max_turns/);
  });

  test('names the set or the case that a selection does not find', async () => {
    project(await heldAgent());
    await add('right 1');
    expect(shortly(await start({ select: { set: 'nope' } }))).toEqual([422, 'select.set unknown-set']);
    expect(shortly(await start({ select: { id: ['nope'] } }))).toEqual([422, 'select.id unknown-case']);
  });

  test('speaks of keys of the request, not of flags', async () => {
    project(await heldAgent());
    await add('right 1');
    const said = async (body: object) => {
      const { error } = (await start(body)).body;
      return [error.message, error.hint ?? ''].join(' | ');
    };
    const answers = [
      await said({ gates: ['pass^3 >= 0.5'] }),
      await said({ select: { tag_any: ['none'] } }),
      await said({ select: { id: ['nope'] } }),
      await said({ budget_usd: 1 }),
      await said({ judge: 'none' }),
    ];
    expect(answers.filter((answer) => /(?:^|[^-\w])--[a-z]/.test(answer))).toEqual([]);
    expect(answers[0]).toContain('run with `repetitions` 3 or more');
    const { id } = (await start({ targets: ['bot'] })).body;
    await end(id);
    const again = await ask('POST', `/runs/${id}/resume`, { body: {} });
    expect(again.body.error.hint ?? '').not.toMatch(/--retry/);
  });

  test('says which agents the store has, or that the name is a target of the config', async () => {
    project(await heldAgent());
    await add('right 1');
    const hint = async (id: string) => {
      const { error } = (await start({ agents: [{ id }], dry_run: true })).body;
      return [error.code, error.param, error.message, error.hint];
    };
    expect(await hint('nope')).toEqual([
      'unknown-target',
      'agents.0.id',
      'agents[0].id: unknown agent "nope"',
      'the store has no agents',
    ]);
    const config = { type: 'http', url: 'https://agent.test/v1' };
    await ask('POST', '/agents', { body: { name: 'desk', config } });
    expect([(await hint('bot'))[3], (await hint('dsk'))[3], (await hint('nope'))[3]]).toEqual([
      'for a target of the config write "targets": ["bot"]',
      'did you mean `desk`?',
      'agents of the store: desk',
    ]);
  });

  test('takes the only version of an agent as target of a baseline', async () => {
    const agent = await heldAgent();
    project(agent);
    await add('right 1');
    const config = { type: 'http', url: agent.url };
    const { id } = (await ask('POST', '/agents', { body: { name: 'desk', config } })).body;
    const first = (await start({ agents: [{ id }] })).body.id;
    await end(first);
    const baseline = (target: string) => ({ agents: [{ id }], baseline: { run_id: first, target } });
    const begun = await start(baseline('desk@1'));
    expect((await end(begun.body.id)).run.baseline).toMatchObject({ run_id: first });
    expect(shortly(await start(baseline('desk@2')))).toEqual([422, 'baseline.target unknown-target']);
  });
});

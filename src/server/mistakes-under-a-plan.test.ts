import { expect, test } from 'vitest';

import { heldAgent } from '../../test/support/held-agent.ts';
import { runsOverApi } from '../../test/support/runs-over-api.ts';
import type { Refusal } from '../../test/support/answered.ts';
import { onServedStores, type Answered } from '../../test/support/served-store.ts';

type Refused = Pick<Answered<Refusal>, 'status' | 'body'>;

/** Status and problems. */
function shortly({ status, body }: Refused) {
  return [status, ...(body.error.problems ?? []).map(({ param, code }) => `${param} ${code}`)];
}

const messagesOf = ({ body }: Refused) => (body.error.problems ?? []).map(({ message }) => message);

onServedStores('mistakes that only a plan shows', (served) => {
  const { ask } = served;
  const { project, add, start, end } = runsOverApi(served);
  const anyVersion = { headers: { 'If-Match': '*' } };
  const agentOfTwoVersions = async () => {
    const config = (path: string) => ({ type: 'http', url: `https://agent.test/${path}` });
    const { id } = (await ask('POST', '/agents', { body: { name: 'desk', config: config('one') } })).body;
    await ask('POST', `/agents/${id}/versions`, { body: { config: config('two') } });
    return id as string;
  };

  test('in gates are told with the other mistakes of a request', async () => {
    project(await heldAgent());
    await add('right 1');
    const gates = ['pass^3 >= 0.5'];
    expect(shortly(await start({ gates, concurrency: 0, baseline: true }))).toEqual([
      422,
      'concurrency invalid-value',
      'baseline no-baseline',
      'gates.0 gate-impossible',
    ]);
    await ask('POST', '/test-cases', { body: { name: 'empty' } });
    expect(shortly(await start({ gates }))).toEqual([
      422,
      'select nothing-to-say',
      'gates.0 gate-impossible',
    ]);
  });

  test('in gates are not told while the trials of the run are uncertain', async () => {
    project(await heldAgent());
    await add('right 1');
    expect(shortly(await start({ gates: ['pass^3 >= 0.5'], repetitions: 'three' }))).toEqual([
      422,
      'repetitions wrong-type',
    ]);
  });

  test('in judges and prices are told with the other mistakes of a regrade', async () => {
    const agent = await heldAgent();
    project(agent);
    await add('right 1');
    const { id } = (await start()).body;
    await end(id);
    const models = { own: { baseUrl: 'http://127.0.0.1:9/v1' } };
    const expectations = [{ type: 'llm_judge', prompt: 'Is it kind?' }];
    project(agent, { models, judge: { model: 'own/judge', metrics: [] }, run: { expectations } });
    const regrade = (body: object) => ask('POST', `/runs/${id}/regrade`, { body });
    expect(shortly(await regrade({ budget_usd: 1, target: 'boot' }))).toEqual([
      422,
      'target unknown-target',
      'budget_usd unknown-cost',
    ]);
    project(agent, { judge: undefined });
    expect(shortly(await regrade({ target: 'boot' }))).toEqual([
      422,
      'target unknown-target',
      'judge no-judge',
    ]);
  });

  test('name the key of the request that can mend them', async () => {
    project(await heldAgent());
    const [id = ''] = await add('right 1');
    await ask('PUT', `/test-cases/${id}/mocks`, { body: [{ tool: 'look', result: 1 }], ...anyVersion });
    expect(shortly(await start())).toEqual([422, 'select mocks-unreachable']);
  });

  test('refuse a version of an agent that is listed twice', async () => {
    project(await heldAgent());
    await add('right 1');
    const id = await agentOfTwoVersions();
    const agents = [{ id, version: 1 }, { id }, { id: 'desk', version: 2 }];
    const refused = await start({ agents });
    expect([shortly(refused), messagesOf(refused)]).toEqual([
      [422, 'agents.2.version duplicate-agent'],
      ['version 2 of the agent "desk" is listed twice'],
    ]);
  });

  test('tell why two versions of an agent have no baseline', async () => {
    project(await heldAgent());
    await add('right 1');
    const id = await agentOfTwoVersions();
    const agents = [
      { id, version: 1 },
      { id, version: 2 },
    ];
    const { status, body } = await start({ agents, baseline: true });
    expect([status, body.error]).toMatchObject([
      422,
      {
        code: 'no-baseline',
        param: 'baseline',
        message:
          'no baseline is set for the target "desk@1" in the line "stored", which is one of several versions of an agent',
        hint: 'run one version to compare it with the baseline of "desk", or name a run that has these versions: "baseline": {"run_id": "..."}',
      },
    ]);
  });

  test('speak of objects and null, as JSON does', async () => {
    project(await heldAgent());
    await add('right 1');
    const refused = await start({ judge: { model: null }, user: [], limits: 'none' });
    expect(messagesOf(refused).join('\n')).not.toMatch(/mapping|nothing/);
    expect(messagesOf(refused)).toContain('limits: expected an object, got "none"');
  });
});

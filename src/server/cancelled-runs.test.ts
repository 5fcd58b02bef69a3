import { expect, test, vi } from 'vitest';

import { heldAgent } from '../../test/support/held-agent.ts';
import { onServedStores, type ServedStore } from '../../test/support/served-store.ts';
import { runsOverApi } from '../../test/support/runs-over-api.ts';
import { openConductor } from '../app/conductor.ts';

onServedStores('runs that another process executes', (served: ServedStore) => {
  const { ask, folder, store } = served;
  const { project, add, end } = runsOverApi(served);
  const faults: unknown[] = [];
  /** Another server on the same database. */
  const another = () =>
    openConductor({
      store: store(),
      surroundings: { cwd: folder, environment: {}, now: Date.now, commandLine: ['serve'] },
      onFault: (fault) => void faults.push(fault),
    });
  const cancel = async (run: string) => {
    const { status, body } = await ask('POST', `/runs/${run}/cancel`);
    return status === 202 ? status : [status, body.error.code];
  };

  test('are cancelled by it', async () => {
    const agent = await heldAgent(() => true);
    project(agent);
    await add('right 1', 'right 2', 'right 3');
    await using other = another();
    const { id } = (await other.start({ select: {} }, 'local')) as { readonly id: string };
    await agent.came(2);
    expect(await cancel(id)).toBe(202);
    const { run, events } = await end(id);
    expect([run.state, run.totals?.counts]).toMatchObject([
      'stopped',
      { total: 3, cancelled: 2, skipped: 1 },
    ]);
    const states = events.flatMap(({ fact }) => (fact.type === 'run-state' ? [fact] : []));
    expect(states).toMatchObject([{ state: 'running' }, { state: 'stopping' }, { state: 'stopped' }]);
    expect([await cancel(id), faults]).toEqual([[409, 'run-finished'], []]);
  });

  test('end at once if no process has begun them, and can be resumed', async () => {
    project(await heldAgent());
    await add('right 1', 'right 2');
    const id = await queued();
    expect(await cancel(id)).toBe(202);
    const { run, events } = await end(id);
    expect([run.state, run.totals?.counts, run.manifest?.exitCode]).toMatchObject([
      'stopped',
      { total: 2, skipped: 2 },
      3,
    ]);
    expect(events.map(({ fact }) => fact.type)).toEqual(['run-start', 'run-state', 'run-end']);
    expect(await cancel(id)).toEqual([409, 'run-finished']);
    expect((await ask('POST', `/runs/${id}/resume`)).status).toBe(202);
    expect((await end(id)).run).toMatchObject({ state: 'completed', totals: { counts: { passed: 2 } } });
  });

  test('do not begin when they are taken up after that', async () => {
    const agent = await heldAgent();
    project(agent);
    await add('right 1');
    const id = await queued();
    vi.spyOn(store().cancels, 'isAsked').mockResolvedValueOnce(true);
    await using other = another();
    expect(await other.takeUp('queued')).toEqual([]);
    expect([(await end(id)).run.state, agent.asked]).toEqual(['stopped', []]);
  });

  /** A run that its server kept, and did not begin. */
  async function queued(): Promise<string> {
    const { create } = store().runs;
    vi.spyOn(store().runs, 'create').mockImplementationOnce(async (begin) => {
      const run = await create(begin);
      await run.release();
      throw new Error('killed');
    });
    await using other = another();
    await expect(other.start({ select: {} }, 'local')).rejects.toThrow('killed');
    const [id = ''] = await store().runs.list();
    return id;
  }
});

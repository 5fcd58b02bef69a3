import { expect, test } from 'vitest';

import type { BaselineResource } from '../api/resources/baseline.ts';
import { onServedStores } from '../../test/support/served-store.ts';
import { uploadedRun } from '../../test/support/uploaded-run.ts';
import type { Manifest } from '../core/manifest.ts';
import { ended, rowOf } from '../storage/run-directory/fixtures/runs.ts';

onServedStores('baselines', ({ url, ask }) => {
  let runs = 0;
  const begin = (manifest: Partial<Manifest> = {}) =>
    uploadedRun(url(), [ended(rowOf('a'))], {
      id: `20260101T000000Z-${String((runs += 1)).padStart(6, '0')}`,
      targets: ['t', 'u'].map((name) => ({ name, type: 'mock', config: {}, digest: 0 })),
      ...manifest,
    });
  const set = (run: string, more: object = {}) =>
    ask('POST', '/baselines', { body: { target: 't', line: 'main', run_id: run, ...more } });

  test('are set, take the place of the former one, and are cleared', async () => {
    const [first, second] = [await begin(), await begin()];
    const former = await set(first);
    expect([former.status, former.headers.get('location'), former.body]).toEqual([
      201,
      `/api/v1/baselines/${former.body.id}`,
      {
        id: expect.any(String),
        target: 't',
        line: 'main',
        run_id: first,
        set_by: expect.any(String),
        set_at: expect.any(String),
        cleared_at: null,
      },
    ]);
    const held = await set(second);
    const listed = async (query = '') => (await ask('GET', `/baselines?${query}`)).body.data;
    expect(await listed()).toEqual([held.body]);
    const cleared = await ask('DELETE', `/baselines/${held.body.id}`);
    expect([cleared.status, cleared.body]).toEqual([200, { ...held.body, cleared_at: expect.any(String) }]);
    expect(await listed()).toEqual([]);
  });

  test('are filtered and paged by target and line', async () => {
    const run = await begin();
    const made = [];
    for (const [target, line] of [
      ['t', 'a'],
      ['t', 'b'],
      ['u', 'a'],
    ] as const)
      made.push((await set(run, { target, line })).body);
    expect((await ask('GET', '/baselines?target=t&line=b')).body.data).toEqual([made[1]]);
    expect((await ask('GET', `/baselines?run=${run}`)).body.data).toEqual(made);
    const first = (await ask('GET', '/baselines?limit=1')).body;
    await ask('DELETE', `/baselines/${made[0]?.id}`);
    const rest = (await ask('GET', `/baselines?limit=1&cursor=${first.next_cursor}`)).body;
    expect([first.data, rest.data]).toEqual([[made[0]], [made[1]]]);
  });

  test('are sorted by target or by the time when they were set, and paged in that order', async () => {
    const run = await begin();
    for (const target of ['u', 't', 't']) await set(run, { target, line: target === 'u' ? 'a' : 'b' });
    await set(run, { target: 't', line: 'a' });
    const paged = async (sort: string) => {
      const found: string[] = [];
      for (let cursor = ''; ;) {
        const { body } = await ask('GET', `/baselines?limit=1&sort=${sort}${cursor}`);
        found.push(...body.data.map((each: BaselineResource) => each.target + each.line));
        if (body.next_cursor === null) return found;
        cursor = `&cursor=${body.next_cursor}`;
      }
    };
    expect(await Promise.all(['target', '-target', 'set_at', '-set_at'].map(paged))).toEqual([
      ['ta', 'tb', 'ua'],
      ['ua', 'tb', 'ta'],
      ['ua', 'tb', 'ta'],
      ['ta', 'tb', 'ua'],
    ]);
  });

  test('that are set at once leave one', async () => {
    const ids = [await begin(), await begin(), await begin()];
    const answers = await Promise.all(ids.map((run) => set(run)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await ask('GET', '/baselines')).body.data).toHaveLength(1);
  });

  test('need a completed run of the store that has the target', async () => {
    const running = await begin({ state: 'running' });
    const refused = async (run: string, more?: object) => {
      const { status, body } = await set(run, more);
      return [status, body.error.code, body.error.param];
    };
    expect(await refused(running)).toEqual([409, 'run-not-completed', 'run_id']);
    expect(await refused('gone')).toEqual([422, 'run-not-found', 'run_id']);
    expect(await refused(running, { target: 'v' })).toEqual([422, 'unknown-target', 'target']);
    expect((await refused(running, { line: '' })).slice(0, 1)).toEqual([422]);
    expect((await ask('DELETE', '/baselines/nonsense')).body.error.code).toBe('baseline-not-found');
  });
});

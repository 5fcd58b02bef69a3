import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, test, vi } from 'vitest';

import { onBothDatabases } from '../../test/support/databases.ts';
import { heldAgent, type HeldAgent } from '../../test/support/held-agent.ts';
import { codeOf } from '../../test/support/written-runs.ts';
import { AssayError } from '../core/errors.ts';
import type { RunStore } from '../core/run-store.ts';
import type { Store } from '../core/store.ts';
import { TALLY_FOLD } from '../reading/row-fold.ts';
import { databaseStore } from '../storage/database/store.ts';
import { openConductor } from './conductor.ts';
import { openConfig } from './project/open-config.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

onBothDatabases('runs that no process executes', (database) => {
  let folder: string;
  let store: Store;
  let faults: unknown[];
  beforeEach(() => {
    folder = folderOfTest('assay-conductor-');
    store = databaseStore(database(), { folder, fold: TALLY_FOLD, now: Date.now });
    faults = [];
  });

  /** `broken`: methods of the store of runs that go wrong. */
  const conducted = (broken: Partial<RunStore> = {}) =>
    openConductor({
      store: { ...store, runs: { ...store.runs, ...broken } },
      surroundings: { cwd: folder, environment: {}, now: Date.now, commandLine: ['serve'] },
      onFault: (fault) => void faults.push(fault),
    });
  const project = ({ url }: HeldAgent) =>
    writeFileSync(
      join(folder, 'assay.config.json'),
      JSON.stringify({
        targets: { bot: { type: 'http', url } },
        target: 'bot',
        user: { type: 'scripted', messages: [] },
        judge: { model: 'none/none', metrics: [] },
        run: { seed: 3, expectations: [{ type: 'contains', value: 'right' }] },
      }),
    );
  const becomes = async (id: string, state: string) => {
    await expect.poll(() => store.runs.open(id).state()).toBe(state);
  };
  /** A run whose process died after its last trial. */
  const begunOnce = async (): Promise<string> => {
    project(await heldAgent());
    await store.cases.create(CASE);
    await using conductor = conducted({
      create: async (begin) => ({ ...(await store.runs.create(begin)), finish: () => fail('killed') }),
    });
    const { id } = (await conductor.start({ select: {} }, 'nobody')) as { readonly id: string };
    await becomes(id, 'interrupted');
    // Told after the claim has ended.
    await expect.poll(() => faults).toEqual([new Error('killed')]);
    faults = [];
    return id;
  };

  test('are completed by resuming, if only their end was not written', async () => {
    const id = await begunOnce();
    await using conductor = conducted();
    await conductor.resume(store.runs.open(id), {});
    await becomes(id, 'completed');
    expect([faults, await codeOf(conductor.resume(store.runs.open(id), {}))]).toEqual([
      [],
      'nothing-to-resume',
    ]);
  });

  test('are tried again when the database is back', async () => {
    const id = await begunOnce();
    const away = new AssayError('database-unreachable', 'cannot connect', { stage: 'log' });
    const claims = [() => Promise.reject(away), store.runs.claim];
    await using conductor = conducted({ claim: (run) => (claims.shift() ?? store.runs.claim)(run) });
    expect([await conductor.takeUp('interrupted'), faults.splice(0)]).toEqual([[], [away]]);
    expect(await conductor.takeUp('interrupted')).toEqual([id]);
    await becomes(id, 'completed');
  });

  test('are given up when three attempts in a row ended no trial', async () => {
    const id = await begunOnce();
    await using conductor = conducted({
      async claim(run) {
        const claimed = await store.runs.claim(run);
        const open: typeof claimed.open = async (manifest, redactor) => ({
          ...(await claimed.open(manifest, redactor)),
          finish: () => fail('broken'),
        });
        return { ...claimed, open };
      },
    });
    const taken: (readonly string[])[] = [];
    for (let times = 1; times <= 5; times += 1) {
      taken.push(await conductor.takeUp('interrupted'));
      await becomes(id, 'interrupted');
      await expect
        .poll(() => faults)
        .toEqual(Array.from({ length: Math.min(times, 3) }, () => new Error('broken')));
    }
    expect(taken).toEqual([[id], [id], [id], [], []]);
  });

  test('do not stay if grading them failed before it began', async () => {
    const id = await begunOnce();
    await using whole = conducted();
    await whole.resume(store.runs.open(id), {});
    await becomes(id, 'completed');
    await using conductor = conducted({
      create: async (begin) => ({
        ...(await store.runs.create(begin)),
        keepFrozen: () => Promise.reject(new Error('not kept')),
      }),
    });
    await expect(conductor.regrade(store.runs.open(id), {}, 'nobody')).rejects.toThrow('not kept');
    expect([await store.runs.list(), faults]).toEqual([[id], []]);
  });

  test('are found by the key of their request, which is not forgotten', async () => {
    project(await heldAgent());
    await store.cases.create(CASE);
    const account = await store.accounts.add({ email: 'ann@example.com', role: 'member' });
    const accountId = account?.id ?? '';
    const entry = {
      accountId,
      key: 'k',
      route: 'POST /runs',
      requestDigest: 'd',
      expiresAt: Date.UTC(2999, 0),
    };
    await store.idempotency.begin(entry);
    await using conductor = conducted();
    const { id } = (await conductor.start({ select: {} }, accountId, entry)) as { readonly id: string };
    await store.idempotency.drop(entry);
    expect(await store.idempotency.begin(entry)).toEqual({
      route: 'POST /runs',
      requestDigest: 'd',
      run: id,
    });
    await becomes(id, 'completed');
  });

  test('begin although the connection broke after they were stored', async () => {
    project(await heldAgent());
    await store.cases.create(CASE);
    const { transaction } = database();
    vi.spyOn(database(), 'transaction').mockImplementationOnce(async (work) => {
      await transaction(work);
      throw new AssayError('database-unreachable', 'cannot connect', { stage: 'log' });
    });
    await using conductor = conducted();
    const { id } = (await conductor.start({ select: {} }, 'nobody')) as { readonly id: string };
    await becomes(id, 'completed');
    expect([await store.runs.list(), faults]).toEqual([[id], []]);
  });

  test('begin with the config that the server has read, even if its file has changed', async () => {
    project(await heldAgent());
    await store.cases.create(CASE);
    const surroundings = { cwd: folder, environment: {}, now: Date.now, commandLine: ['serve'] };
    const { loaded } = await openConfig({ file: undefined, start: folder, surroundings });
    writeFileSync(join(folder, 'assay.config.json'), '{ "targets": ');
    const onFault = (fault: unknown) => void faults.push(fault);
    await using conductor = openConductor({ store, surroundings, loaded, onFault });
    const { id } = (await conductor.start({ select: {} }, 'nobody')) as { readonly id: string };
    await becomes(id, 'completed');
    expect(faults).toEqual([]);
  });

  test('do not begin when the server is stopping', async () => {
    project(await heldAgent());
    await store.cases.create(CASE);
    const conductor = conducted();
    await conductor[Symbol.asyncDispose]();
    expect([await codeOf(conductor.start({ select: {} }, 'nobody')), await store.runs.list()]).toEqual([
      'server-stopping',
      [],
    ]);
  });

  test('stay as they are when they are archived, were cancelled, or were ended in a terminal', async () => {
    const id = await begunOnce();
    await using conductor = conducted();
    await database().query('update run set cancel_requested_at = clock_timestamp()');
    expect(await conductor.takeUp('interrupted')).toEqual([]);
    await database().query('update run set cancel_requested_at = null');
    await store.listings.change(id, { isArchived: true });
    expect(await conductor.takeUp('interrupted')).toEqual([]);
    await store.listings.change(id, { isArchived: false });
    await database().query(
      `update run set origin = 'cli', manifest = replace(manifest::text, '"running"', '"interrupted"')::json`,
    );
    expect(await conductor.takeUp('interrupted')).toEqual([]);
  });
});

const CASE = {
  name: 'right',
  description: null,
  difficulty: 'normal',
  tags: [],
  status: 'active',
  persona: null,
  initial_message: 'right',
  user_context: null,
  max_turns: null,
  expected_outcomes: null,
  expected_tool_calls: null,
  evaluation_criteria_override: null,
} as const;

const fail = (text: string): never => {
  throw new Error(text);
};

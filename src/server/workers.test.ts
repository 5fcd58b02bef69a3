import { expect, onTestFinished, test } from 'vitest';

import { redactor } from '../../test/support/written-runs.ts';
import { onServedStores } from '../../test/support/served-store.ts';
import { AT, manifestOf } from '../storage/run-directory/fixtures/runs.ts';

const identity = { host: 'here', pid: 7, version: '1.2.3', slots: 2 };

onServedStores('the workers of a store', (served) => {
  test('are an empty list before the first worker has joined', async () => {
    const { status, body } = await served.ask('GET', '/workers');
    expect([status, body]).toEqual([200, { data: [], next_cursor: null }]);
  });

  test('are listed with what they run and refuse, the newest first, page by page', async () => {
    const { queue, runs } = served.store();
    if (queue === undefined) return;
    const run = await runs.create({
      startedAt: Date.parse(AT),
      redactor,
      manifest: (id) => manifestOf({ id, state: 'running' }),
    });
    const handed = await run.handOut?.();
    const runId = run.manifest.id;
    await served.database().query('update run set state = $2 where id = $1', [runId, 'running']);
    await handed?.offer([{ number: 1, key: 'a', document: {} }]);
    const [old, young] = [
      await queue.join({ ...identity, name: 'old' }),
      await queue.join({ ...identity, name: 'young' }),
    ];
    onTestFinished(async () => {
      await young[Symbol.asyncDispose]();
      await handed?.[Symbol.asyncDispose]();
      await run.release();
    });
    await old.take(runId, 1, new AbortController().signal);
    await young.refuse(runId, 'target coder: claude: not found on PATH');
    await old[Symbol.asyncDispose]();
    const first = await served.ask('GET', '/workers?limit=1');
    const second = await served.ask('GET', `/workers?limit=1&cursor=${first.body.next_cursor}`);
    const time = expect.stringMatching(/^\d{4}-.+Z$/) as string;
    const common = { ...identity, id: expect.any(String) as string, started_at: time, seen_at: time };
    expect([first.body.data, second.body]).toEqual([
      [
        {
          ...common,
          name: 'young',
          alive: true,
          stopping: false,
          trials: [],
          refusals: [{ run_id: runId, reason: 'target coder: claude: not found on PATH' }],
        },
      ],
      {
        data: [
          {
            ...common,
            name: 'old',
            alive: false,
            stopping: false,
            trials: [{ run_id: runId, trial: 'a', since: expect.any(String) as string }],
            refusals: [],
          },
        ],
        next_cursor: null,
      },
    ]);
  });
});

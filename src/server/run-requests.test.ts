import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { heldAgent } from '../../test/support/held-agent.ts';
import { onServedStores } from '../../test/support/served-store.ts';

onServedStores('requests for runs', ({ ask, folder }) => {
  const start = async (body: object) => {
    const agent = await heldAgent();
    writeFileSync(
      join(folder, 'assay.config.json'),
      JSON.stringify({
        targets: { bot: { type: 'http', url: agent.url } },
        target: 'bot',
        user: { type: 'scripted', messages: [] },
        judge: { model: 'none/none', metrics: [] },
        run: { expectations: [{ type: 'contains', value: 'right' }] },
      }),
    );
    await ask('POST', '/test-cases', { body: { name: 'x', initial_message: 'right' } });
    return await ask('POST', '/runs', { body: { select: {}, ...body } });
  };

  test('are refused before anything is written where they ask for more than a million trials', async () => {
    const { status, body } = await start({ repetitions: 1_000_000_000 });
    expect([status, body.error.code, body.error.message]).toEqual([
      422,
      'too-many-trials',
      'the run would have 1000000000 trials, but at most 1000000 are allowed',
    ]);
    expect((await ask('GET', '/runs')).body.data).toEqual([]);
  });

  test('take each tag once, without spaces around it, when a run begins and when it is changed', async () => {
    const { status, body } = await start({ tags: [' a', 'b', 'a'] });
    expect([status, body.tags]).toEqual([202, ['a', 'b']]);
    const path = `/runs/${body.id}` as const;
    const changed = await ask('PATCH', path, {
      body: { tags: ['c ', 'c'] },
      headers: { 'If-Match': '*' },
    });
    expect([changed.status, changed.body.tags]).toEqual([200, ['c']]);
    const empty = await ask('PATCH', path, { body: { tags: [' '] }, headers: { 'If-Match': '*' } });
    expect([empty.status, empty.body.error.code]).toEqual([422, 'invalid-value']);
  });
});

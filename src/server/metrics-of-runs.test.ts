import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { onServedStores } from '../../test/support/served-store.ts';

onServedStores('runs with metrics of the store', ({ ask, folder }) => {
  test('may list a metric until it is archived, and again when it is replaced', async () => {
    const config = {
      targets: { bot: { type: 'http', url: 'http://127.0.0.1:9/' } },
      user: { type: 'scripted', messages: [] },
      judge: { model: 'openai/gpt-4o-mini', metrics: [] },
    };
    writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(config));
    await ask('POST', '/test-cases', { body: { name: 'x', initial_message: 'hello' } });
    const planned = async () => {
      const body = { select: {}, judge: { metrics: [{ metric: 'tone' }] }, dry_run: true };
      const { status, body: answer } = await ask('POST', '/runs', { body });
      return [status, answer.trials ?? [answer.error.code, answer.error.param]];
    };
    const unknown = [422, ['unknown-metric', 'judge.metrics.0.metric']];
    expect(await planned()).toEqual(unknown);
    const fields = { kind: 'scored', rubric: 'Is it kind?', default_weight: 1 };
    await ask('POST', '/metrics', { body: { id: 'tone', ...fields } });
    expect(await planned()).toEqual([200, 1]);
    await ask('DELETE', '/metrics/tone', { headers: { 'If-Match': '*' } });
    expect(await planned()).toEqual(unknown);
    await ask('PUT', '/metrics/tone', { body: fields, headers: { 'If-Match': '*' } });
    expect(await planned()).toEqual([200, 1]);
  });
});

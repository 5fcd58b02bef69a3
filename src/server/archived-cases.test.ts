import { expect, test } from 'vitest';

import { heldAgent } from '../../test/support/held-agent.ts';
import { runsOverApi } from '../../test/support/runs-over-api.ts';
import { onServedStores } from '../../test/support/served-store.ts';

onServedStores('a test case that was run', (served) => {
  const { ask } = served;
  const { project, add, start, end, trials } = runsOverApi(served);

  test('leaves its trials, frozen copies and sets as they are when it is archived', async () => {
    project(await heldAgent());
    const [first = '', second = ''] = await add('right 1', 'right 2');
    const set = await ask('POST', '/case-sets', { body: { name: 'smoke' } });
    const members = `/case-sets/${set.body.id}/members`;
    await ask('POST', members, { body: [{ test_case_id: first }, { test_case_id: second }] });
    const { body } = await start({ select: { set: 'smoke' } });
    await end(body.id);
    const kept = async () => ({
      trials: await trials(body.id),
      whole: (await ask('GET', `/runs/${body.id}/trials/1`)).body,
      history: (await ask('GET', `/test-cases/${first}/trials`)).body,
      members: (await ask('GET', members)).body,
    });
    const before = await kept();
    expect([before.trials.length, before.history.data.length, before.whole.frozen.length > 0]).toEqual([
      2,
      1,
      true,
    ]);
    const gone = await ask('DELETE', `/test-cases/${first}`, { headers: { 'If-Match': '*' } });
    expect([gone.status, gone.body.status]).toEqual([200, 'archived']);
    expect(await kept()).toEqual(before);
  });

  test('keeps the filled request and the digest of all cases with its run', async () => {
    project(await heldAgent());
    await add('right 1');
    const { body } = await start({ name: 'nightly' });
    await end(body.id);
    const [point] = (await ask('GET', '/trends')).body.data;
    expect(point?.case_digest).toMatch(/^[0-9a-f]{64}$/);
    const [kept] = await served
      .database()
      .query<{ settings: string; case_digest: string }>('select settings, case_digest from run');
    expect([kept?.case_digest, JSON.parse(kept?.settings ?? '')]).toEqual([
      point?.case_digest,
      expect.objectContaining({
        name: 'nightly',
        select: {},
        targets: ['bot'],
        repetitions: 1,
        concurrency: 2,
        max_errored: 0,
        seed: 3,
      }),
    ]);
  });
});

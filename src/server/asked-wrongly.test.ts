import { expect, test } from 'vitest';

import { heldAgent } from '../../test/support/held-agent.ts';
import { runsOverApi } from '../../test/support/runs-over-api.ts';
import { onServedStores } from '../../test/support/served-store.ts';

const AGENT = { type: 'http', url: 'https://agent.test/v1' };

onServedStores('a server that is asked wrongly', (served) => {
  const { ask, url } = served;
  const { project, add, start, end } = runsOverApi(served);
  const withMatch = (etag: string | null) => ({ headers: { 'If-Match': etag ?? '' } });

  test('says so of an empty id, another version of the API and an unknown address', async () => {
    const refused = async (method: string, path: string) => {
      const answer = await fetch(`${url()}${path}`, { method });
      const { error } = (await answer.json()) as { error: { code: string; message: string } };
      return [answer.status, error.code, error.message];
    };
    expect([
      await refused('GET', '/api/v1/runs//trials'),
      await refused('DELETE', '/api/v1/test-cases/'),
      await refused('GET', '/api/v2/runs'),
      await refused('GET', '/api'),
      await refused('POST', '/runs'),
    ]).toEqual([
      [404, 'unknown-route', 'unknown route /api/v1/runs//trials'],
      [404, 'unknown-route', 'unknown route /api/v1/test-cases/'],
      [404, 'unknown-route', 'unknown route /api/v2/runs: this server has version 1 of the API'],
      [404, 'unknown-route', 'unknown route /api: this server has version 1 of the API'],
      [404, 'unknown-route', 'unknown route /runs'],
    ]);
  });

  test('refuses an unknown set, a text that is not a time, and a garbled Last-Event-ID', async () => {
    project(await heldAgent());
    await add('right 1');
    const { id } = (await start()).body;
    await end(id);
    const refused = async (path: string, headers = {}) => {
      const { status, body } = await ask('GET', path, { headers });
      return [status, body.error.code, body.error.message];
    };
    const expected = 'write a date or a time, such as 2026-01-31 or 2026-01-31T09:30:00Z';
    const feed = { Accept: 'text/event-stream', 'Last-Event-ID': '7x' };
    expect([
      await refused('/runs?set=nope'),
      await refused('/runs?since=yesterday'),
      await refused('/trends?until=2026-02-31'),
      await refused(`/runs/${id}/events`, feed),
    ]).toEqual([
      [404, 'unknown-set', 'no set in the store has the id or name "nope"'],
      [400, 'invalid-parameter', `since=yesterday: ${expected}`],
      [400, 'invalid-parameter', `until=2026-02-31: ${expected}`],
      [400, 'invalid-parameter', 'Last-Event-ID: expected the number of an event, got "7x"'],
    ]);
    expect((await ask('GET', '/runs?set=nope')).body.error.param).toBe('set');
    const listed = async (query: string) => (await ask('GET', `/runs?${query}`)).body.data.length;
    expect([
      await listed('since=2020-01-31'),
      await listed('until=2020-01-31'),
      await listed('since=2020-01-31T09:30:00%2B02:00'),
      await listed('since=2999-01-31'),
    ]).toEqual([1, 0, 1, 0]);
    await ask('POST', '/case-sets', { body: { name: 'smoke' } });
    expect(await listed('set=smoke')).toBe(0);
  });

  test('says which id a name in an address stands for', async () => {
    const [id = '', other = ''] = await add('one', 'two');
    const ids = [id, ...(await add('one'))];
    const agent = (await ask('POST', '/agents', { body: { name: 'desk', config: AGENT } })).body.id;
    const set = (await ask('POST', '/case-sets', { body: { name: 'smoke' } })).body.id;
    const hint = async (method: string, path: string, body?: object) => {
      const answer = await ask(method, path, { ...withMatch('*'), ...(body && { body }) });
      return [answer.status, answer.body.error.message, answer.body.error.hint];
    };
    const named = (name: string, found: string) =>
      `"${name}" is a name, and this address takes an id: ${found}`;
    const ofCase = 'no test case in the store has the id';
    expect([
      await hint('PATCH', '/test-cases/two', { name: 'b' }),
      await hint('DELETE', '/test-cases/two'),
      await hint('PUT', '/test-cases/two/mocks', []),
      await hint('GET', '/test-cases/one'),
      await hint('GET', '/test-cases/three'),
      await hint('PATCH', '/agents/desk', {}),
      await hint('GET', '/agents/desk/versions'),
      await hint('DELETE', '/case-sets/smoke'),
      await hint('GET', '/case-sets/nope/members'),
    ]).toEqual([
      [404, `${ofCase} "two"`, named('two', other)],
      [404, `${ofCase} "two"`, named('two', other)],
      [404, `${ofCase} "two"`, named('two', other)],
      [404, `${ofCase} "one"`, named('one', ids.join(', '))],
      [404, `${ofCase} "three"`, 'GET /api/v1/test-cases?id=NAME&status=any finds test cases by their names'],
      [404, 'no agent has the id "desk"', named('desk', agent)],
      [404, 'no agent has the id "desk"', named('desk', agent)],
      [404, 'no set has the id "smoke"', named('smoke', set)],
      [404, 'no set has the id "nope"', 'GET /api/v1/case-sets lists the sets'],
    ]);
  });

  test.each([
    ['/test-cases', { name: 'one' }],
    ['/agents', { name: 'desk', config: AGENT }],
    ['/case-sets', { name: 'smoke' }],
  ] as const)('gives no new version to what a change leaves as it is: %s', async (path, body) => {
    const made = await ask('POST', path, { body });
    const place = `${path}/${made.body.id}`;
    const etag = made.headers.get('etag');
    const same = await ask('PATCH', place, { body: {}, ...withMatch(etag) });
    const archived = await ask('DELETE', place, withMatch(etag));
    const again = await ask('DELETE', place, withMatch(archived.headers.get('etag')));
    const stale = await ask('DELETE', place, withMatch(etag));
    expect([same.status, same.headers.get('etag'), same.body]).toEqual([200, etag, made.body]);
    expect(archived.headers.get('etag')).not.toBe(etag);
    expect([again.status, again.headers.get('etag'), again.body]).toEqual([
      200,
      archived.headers.get('etag'),
      archived.body,
    ]);
    expect(stale.status).toBe(412);
  });

  test('gives no new version to a metric that is replaced by itself or archived twice', async () => {
    const { id, ...fields } = { id: 'tone', kind: 'binary', rubric: 'Is it kind?', default_weight: 1 };
    const made = await ask('POST', '/metrics', { body: { id, ...fields } });
    const etag = made.headers.get('etag');
    const same = await ask('PUT', `/metrics/${id}`, { body: fields, ...withMatch(etag) });
    const archived = await ask('DELETE', `/metrics/${id}`, withMatch(etag));
    const again = await ask('DELETE', `/metrics/${id}`, withMatch(archived.headers.get('etag')));
    const back = await ask('PUT', `/metrics/${id}`, { body: fields, ...withMatch('*') });
    expect([same.headers.get('etag'), again.headers.get('etag')]).toEqual([
      etag,
      archived.headers.get('etag'),
    ]);
    expect([archived, back].map(({ headers }) => headers.get('etag') === etag)).toEqual([false, false]);
  });
});

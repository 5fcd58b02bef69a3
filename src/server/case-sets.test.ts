import { expect, test } from 'vitest';

import { onServedStores } from '../../test/support/served-store.ts';

onServedStores('sets over HTTP', ({ ask }) => {
  const any = { 'If-Match': '*' };
  const made = async (name = 'smoke') => (await ask('POST', '/case-sets', { body: { name } })).body;
  const newCase = async (name: string) =>
    (await ask('POST', '/test-cases', { body: { name } })).body.id as string;
  const list = (...ids: readonly string[]) => ids.map((id) => ({ test_case_id: id }));

  test('are added with version 1, and read again', async () => {
    const answer = await ask('POST', '/case-sets', { body: { name: 'smoke', description: 'Each day' } });
    const { id, updated_at: version } = answer.body;
    expect([answer.status, answer.headers.get('location'), answer.headers.get('etag')]).toEqual([
      201,
      `/api/v1/case-sets/${id}`,
      `"${version}"`,
    ]);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'smoke',
      description: 'Each day',
      version: 1,
      archived_at: null,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
    });
    const read = await ask('GET', `/case-sets/${id.toUpperCase()}`);
    expect([read.status, read.body, read.headers.get('etag')]).toEqual([200, answer.body, `"${version}"`]);
    const byName = await ask('GET', '/case-sets/smoke');
    expect([byName.status, byName.body.error.code]).toEqual([404, 'set-not-found']);
  });

  test('count their version with members, order and repetitions, and with nothing else', async () => {
    const { id } = await made();
    const [a, b] = [await newCase('a'), await newCase('b')];
    const members = `/case-sets/${id}/members` as const;
    const put = (body: unknown) => ask('PUT', members, { body, headers: any });
    const answers = [
      await ask('POST', members, { body: list(a, b) }),
      await put(list(a, b)),
      await put(list(b, a)),
      await put([{ test_case_id: b, repetitions: 2 }, ...list(a)]),
      await ask('DELETE', `${members}/${a.toUpperCase()}`, { headers: any }),
      await ask('PATCH', `/case-sets/${id}`, { body: { name: 'renamed' }, headers: any }),
    ];
    expect(answers.map(({ status, body }) => [status, body.version])).toEqual([
      [200, 2],
      [200, 2],
      [200, 3],
      [200, 4],
      [200, 5],
      [200, 5],
    ]);
    const read = await ask('GET', members);
    expect(read.body).toEqual({ data: [{ test_case_id: b, repetitions: 2 }], version: 5 });
    expect(read.headers.get('etag')).toBe((await ask('GET', `/case-sets/${id}`)).headers.get('etag'));
  });

  test('have members that the store has, each once', async () => {
    const { id } = await made();
    const a = await newCase('a');
    const unknown = '00000000-0000-4000-8000-000000000000';
    const refused = async (body: unknown) => {
      const answer = await ask('POST', `/case-sets/${id}/members`, { body });
      return [answer.status, ...answer.body.error.problems.map(({ code, param }) => `${param} ${code}`)];
    };
    expect(await refused(list(a, unknown, a))).toEqual([
      422,
      '1.test_case_id unknown-case',
      '2.test_case_id duplicate-member',
    ]);
    expect(await refused([{ test_case_id: 'a', repetitions: 0, order: 1 }])).toEqual([
      422,
      '0.test_case_id invalid-value',
      '0.repetitions invalid-value',
      '0.order unknown-key',
    ]);
    const gone = await ask('DELETE', `/case-sets/${id}/members/${a}`, { headers: any });
    expect([gone.status, gone.body.error.code]).toEqual([404, 'member-not-found']);
    expect((await ask('GET', `/case-sets/${id}`)).body.version).toBe(1);
  });

  test('change only for who knows them as they are', async () => {
    const { id } = await made();
    const path = `/case-sets/${id}`;
    const etag = (await ask('GET', path)).headers.get('etag') ?? '';
    const missing = await Promise.all([
      ask('PATCH', path, { body: {} }),
      ask('DELETE', path),
      ask('PUT', `${path}/members`, { body: [] }),
      ask('DELETE', `${path}/members/${id}`),
    ]);
    expect(missing.map(({ status }) => status)).toEqual([428, 428, 428, 428]);
    const two = await Promise.all(
      ['x', 'y'].map((name) => ask('PATCH', path, { body: { name }, headers: { 'If-Match': etag } })),
    );
    expect(two.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const [now, stale] = two.toSorted((one, other) => one.status - other.status);
    expect(stale?.body.error.current).toEqual(now?.body);
    const members = await ask('PUT', `${path}/members`, { body: [], headers: { 'If-Match': etag } });
    expect([members.status, members.body.error.current]).toEqual([412, { data: [], version: 1 }]);
  });

  test('are archived and taken back', async () => {
    const { id } = await made();
    await made('other');
    const names = async (query: string) =>
      (await ask('GET', `/case-sets?${query}`)).body.data.map((set) => set.name);
    const archived = await ask('DELETE', `/case-sets/${id}`, { headers: any });
    expect([archived.status, typeof archived.body.archived_at]).toEqual([200, 'string']);
    expect([await names(''), await names('archived=true'), await names('archived=any')]).toEqual([
      ['other'],
      ['smoke'],
      ['smoke', 'other'],
    ]);
    const back = await ask('PATCH', `/case-sets/${id}`, { body: { archived: false }, headers: any });
    expect([back.body.archived_at, await names('')]).toEqual([null, ['smoke', 'other']]);
  });

  test('have names of their own', async () => {
    const { id } = await made();
    await made('other');
    const taken = [
      await ask('POST', '/case-sets', { body: { name: 'smoke' } }),
      await ask('PATCH', `/case-sets/${id}`, { body: { name: 'other' }, headers: any }),
    ];
    expect(taken.map(({ status, body }) => [status, body.error.code, body.error.param])).toEqual([
      [409, 'name-taken', 'name'],
      [409, 'name-taken', 'name'],
    ]);
    const wrong = [
      {},
      { name: ' ' },
      { name: 'a\u0000' },
      { name: 'x'.repeat(256) },
      { name: 'x', members: [] },
    ];
    for (const body of wrong) expect((await ask('POST', '/case-sets', { body })).status).toBe(422);
    const nulled = await ask('PATCH', `/case-sets/${id}`, { body: { name: null }, headers: any });
    expect(nulled.status).toBe(422);
  });

  test('come in pages', async () => {
    for (const name of ['a', 'b', 'c']) await made(name);
    const first = await ask('GET', '/case-sets?limit=2');
    await made('d');
    const second = await ask('GET', `/case-sets?limit=2&cursor=${first.body.next_cursor}`);
    const all = [...first.body.data, ...second.body.data].map(({ name }) => name);
    expect([all, second.body.next_cursor]).toEqual([['a', 'b', 'c', 'd'], null]);
    const other = await ask('GET', `/case-sets?archived=any&cursor=${first.body.next_cursor}`);
    expect([other.status, other.body.error.code]).toEqual([400, 'cursor-mismatch']);
  });

  test('are unknown under other ids', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const answers = await Promise.all([
      ask('GET', `/case-sets/${id}`),
      ask('PATCH', `/case-sets/${id}`, { body: {}, headers: any }),
      ask('DELETE', `/case-sets/no-id`, { headers: any }),
      ask('GET', `/case-sets/${id}/members`),
      ask('PUT', `/case-sets/${id}/members`, { body: [], headers: any }),
      ask('POST', `/case-sets/${id}/members`, { body: [] }),
      ask('DELETE', `/case-sets/${id}/members/${id}`, { headers: any }),
    ]);
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.error.code}`))).toEqual(
      new Set(['404 set-not-found']),
    );
  });

  test('select test cases in their order, whatever their status, in pages that stay right', async () => {
    const { id } = await made();
    const ids: string[] = [];
    for (const name of ['e', 'd', 'c', 'b', 'a']) ids.push(await newCase(name));
    await ask('POST', `/case-sets/${id}/members`, { body: list(...ids.toReversed()) });
    await ask('DELETE', `/test-cases/${ids[0]}`, { headers: any });
    const names = ({ body }: { body: { data: readonly { name: string }[] } }) =>
      body.data.map(({ name }) => name);
    const first = await ask('GET', '/test-cases?set=smoke&limit=2');
    await ask('DELETE', `/case-sets/${id}/members/${ids[4]}`, { headers: any });
    const { next_cursor: cursor } = first.body;
    const second = await ask('GET', `/test-cases?set=smoke&limit=2&cursor=${cursor}`);
    const third = await ask('GET', `/test-cases?set=smoke&limit=2&cursor=${second.body.next_cursor}`);
    expect([first, second, third].map(names)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(third.body.next_cursor).toBeNull();
    expect(names(await ask('GET', `/test-cases?set=${id}&search=B`))).toEqual(['b']);
    const exported = await ask('GET', '/test-cases/export?set=smoke');
    expect(exported.body).toMatchObject({ count: 4 });
    const unknown = await Promise.all(
      ['/test-cases?set=smok', '/test-cases/export?set=smok'].map((path) => ask('GET', path)),
    );
    expect(unknown.map(({ status, body }) => [status, body.error.code])).toEqual([
      [404, 'unknown-set'],
      [404, 'unknown-set'],
    ]);
  });
});

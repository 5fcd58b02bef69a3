import { expect, test } from 'vitest';

import { onServedStores } from '../../test/support/served-store.ts';

onServedStores('test cases over HTTP', ({ ask }) => {
  test('are added with their defaults, and read again', async () => {
    const made = await ask('POST', '/test-cases', { body: { name: 'x' } });
    const { id, updated_at: version } = made.body;
    expect([made.status, made.headers.get('location'), made.headers.get('etag')]).toEqual([
      201,
      `/api/v1/test-cases/${id}`,
      `"${version}"`,
    ]);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'x',
      description: null,
      difficulty: 'normal',
      tags: [],
      status: 'active',
      persona: null,
      initial_message: null,
      user_context: null,
      max_turns: null,
      expected_outcomes: null,
      expected_tool_calls: null,
      evaluation_criteria_override: null,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
    });
    const read = await ask('GET', `/test-cases/${id}`);
    expect([read.status, read.body, read.headers.get('etag')]).toEqual([200, made.body, `"${version}"`]);
  });

  test('are refused with the path of each mistake', async () => {
    const one = await ask('POST', '/test-cases', { body: { name: 'x', difficultly: 'hard' } });
    expect([one.status, one.body.error]).toEqual([
      422,
      {
        code: 'unknown-key',
        message: 'unknown key `difficultly`',
        param: 'difficultly',
        hint: 'did you mean `difficulty`?',
        problems: [
          {
            code: 'unknown-key',
            param: 'difficultly',
            message: 'unknown key `difficultly`',
            hint: 'did you mean `difficulty`?',
          },
        ],
        request_id: expect.any(String),
      },
    ]);
    const body = { id: '00000000-0000-4000-8000-000000000000', name: '', max_turns: 0 };
    const { status, body: more } = await ask('POST', '/test-cases', { body });
    const found = more.error.problems.map((each: { code: string; param: string }) => [each.param, each.code]);
    expect([status, more.error.code, found]).toEqual([
      422,
      'invalid-body',
      [
        ['id', 'server-set'],
        ['name', 'invalid-value'],
        ['max_turns', 'invalid-value'],
      ],
    ]);
  });

  test('are changed only by who knows them as they are', async () => {
    const made = await ask('POST', '/test-cases', { body: { name: 'x', tags: ['a'] } });
    const path = `/test-cases/${made.body.id}` as const;
    const change = (etag: string | null, body: object) =>
      ask('PATCH', path, { body, headers: etag === null ? {} : { 'If-Match': etag } });
    const etag = made.headers.get('etag');
    const without = await change(null, { name: 'y' });
    expect([without.status, without.body.error.code]).toEqual([428, 'if-match-missing']);
    const both = await Promise.all([change(etag, { name: 'y' }), change(etag, { name: 'z' })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const [won, lost] = both.toSorted((left, right) => left.status - right.status);
    expect(lost?.body.error).toMatchObject({ code: 'stale', current: won?.body });
    expect(won?.headers.get('etag')).not.toBe(etag);
    const whatever = await change('*', { description: 'd' });
    expect([whatever.status, whatever.body]).toEqual([
      200,
      { ...won?.body, description: 'd', updated_at: whatever.body.updated_at },
    ]);
  });

  test('are replaced as a whole, and archived rather than removed', async () => {
    const made = await ask('POST', '/test-cases', { body: { name: 'x', tags: ['a'] } });
    const path = `/test-cases/${made.body.id}` as const;
    const put = await ask('PUT', path, { body: { name: 'y' }, headers: { 'If-Match': '*' } });
    expect([put.status, put.body.name, put.body.tags]).toEqual([200, 'y', []]);
    const etag = put.headers.get('etag') ?? '';
    const gone = await ask('DELETE', path, { headers: { 'If-Match': etag } });
    expect([gone.status, gone.body.status]).toEqual([200, 'archived']);
    const again = await ask('DELETE', path, { headers: { 'If-Match': etag } });
    expect([again.status, again.body.error.code]).toEqual([412, 'stale']);
    expect((await ask('GET', path)).body.status).toBe('archived');
    expect((await ask('GET', '/test-cases')).body.data).toEqual([]);
  });

  test('that no case is are 404', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x', 'A']) {
      const answers = [
        await ask('GET', `/test-cases/${id}`),
        await ask('PATCH', `/test-cases/${id}`, { body: {}, headers: { 'If-Match': '*' } }),
        await ask('PUT', `/test-cases/${id}`, { body: { name: 'x' }, headers: { 'If-Match': '*' } }),
        await ask('DELETE', `/test-cases/${id}`, { headers: { 'If-Match': '*' } }),
      ];
      expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
        answers.map(() => [404, 'case-not-found']),
      );
    }
    const listed = await ask('GET', '/test-cases?id=x');
    expect([listed.status, listed.body.error.code]).toEqual([404, 'unknown-case']);
  });

  test('are selected by tags and by a part of their name', async () => {
    for (const [name, tags] of Object.entries({ 'is 50%_off': ['a', 'b'], 'is 50 xoff': ['c'], x: ['a'] })) {
      await ask('POST', '/test-cases', { body: { name, tags } });
    }
    const count = async (query: string) => (await ask('GET', `/test-cases?${query}`)).body.data.length;
    expect([
      await count('tag_all=a&tag_all=b'),
      await count('tag_any=a&tag_any=c'),
      await count(`search=${encodeURIComponent('50%_')}`),
    ]).toEqual([1, 3, 1]);
    const wrong = await ask('GET', '/test-cases?tagg=a');
    expect([wrong.status, wrong.body.error.code, wrong.body.error.param]).toEqual([
      400,
      'unknown-parameter',
      'tagg',
    ]);
  });

  test('come page by page: none twice, none missing, also where some are added and archived between', async () => {
    const names = Array.from({ length: 120 }, (_, at) => `case ${at}`);
    const made: { id: string }[] = [];
    for (const name of names) made.push((await ask('POST', '/test-cases', { body: { name } })).body);
    const first = await ask('GET', '/test-cases?limit=50');
    await ask('POST', '/test-cases', { body: { name: 'added' } });
    await ask('DELETE', `/test-cases/${made[10]?.id}`, { headers: { 'If-Match': '*' } });
    const second = await ask('GET', `/test-cases?limit=50&cursor=${first.body.next_cursor}`);
    const third = await ask('GET', `/test-cases?limit=50&cursor=${second.body.next_cursor}`);
    const all = [first, second, third].flatMap(({ body }) => body.data);
    expect(all.map(({ name }) => name)).toEqual([...names, 'added']);
    expect(third.body.next_cursor).toBeNull();
    const cursor = first.body.next_cursor;
    const other = await ask('GET', `/test-cases?limit=50&status=any&cursor=${cursor}`);
    expect([other.status, other.body.error.code]).toEqual([400, 'cursor-mismatch']);
    const forged = Buffer.from(
      JSON.stringify([
        JSON.parse(Buffer.from(String(cursor), 'base64url').toString())[0],
        '{"createdAt":"x"}',
      ]),
    ).toString('base64url');
    const wrong = await ask('GET', `/test-cases?limit=50&cursor=${forged}`);
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'invalid-cursor']);
  });
});

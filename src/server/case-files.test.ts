import { expect, test, vi } from 'vitest';

import { onServedStores } from '../../test/support/served-store.ts';
import { AssayError } from '../core/errors.ts';

onServedStores('files of test cases over HTTP', ({ ask, url, store }) => {
  const imported = (body: unknown, query = '', type = 'application/json') =>
    ask('POST', `/test-cases/import?${query}`, { body, headers: { 'Content-Type': type } });
  const names = async (query = '') =>
    (await ask('GET', `/test-cases?limit=200${query}`)).body.data.map(({ name }) => name);

  test('are imported all or none, with the path of each mistake', async () => {
    const { status, body } = await imported([{ name: 'a' }, { name: 'b', max_turn: 3 }, { name: 'c' }]);
    expect([status, body.error.code, body.error.param, body.error.hint]).toEqual([
      422,
      'unknown-key',
      'items.1.max_turn',
      'did you mean `max_turns`?',
    ]);
    expect(await names()).toEqual([]);
    const done = await imported([{ name: 'a' }, { name: 'b' }]);
    expect([done.status, done.body.created, done.body.items.length]).toEqual([200, 2, 2]);
    expect(await names()).toEqual(['a', 'b']);
  });

  test('name the case also in an envelope, in lines and in YAML', async () => {
    const envelope = { format: 'assay-cases', schema_version: '1.0.0', test_cases: [{ name: 'a' }, {}] };
    const lines = `${JSON.stringify({ name: 'a' })}\n\n${JSON.stringify({ name: 1 })}\n`;
    const paramOf = async (body: unknown, type: string) => (await imported(body, '', type)).body.error.param;
    expect([
      await paramOf(envelope, 'application/json'),
      await paramOf(lines, 'application/jsonl'),
      await paramOf('- name: a\n- name: b\n  tags: x\n', 'application/yaml'),
      await paramOf('tags: []\n', 'application/yaml'),
    ]).toEqual(['items.1.name', 'items.1.name', 'items.1.tags', 'items.0.name']);
    const broken = await imported(`{"name":"a"}\n{"name":\n`, '', 'application/jsonl');
    const others = [
      await imported(`{"name":`),
      await imported('[{"name": "a", "name": "b"}]'),
      await imported('- name: [a\n', '', 'application/yaml'),
    ];
    expect(others.map(({ status, body }) => [status, body.error.code])).toEqual([
      [400, 'json-syntax'],
      [400, 'duplicate-key'],
      [400, 'yaml-syntax'],
    ]);
    expect([broken.status, broken.body.error.code, broken.body.error.message]).toEqual([
      400,
      'json-syntax',
      expect.stringMatching(/^line 2, column \d+: /),
    ]);
  });

  test('meet cases that are there as the request says', async () => {
    const first = await imported([{ name: 'a', tags: ['x'] }]);
    const id = first.body.items[0]?.id;
    const again = [{ id, name: 'b' }];
    const clash = await imported(again);
    expect([clash.status, clash.body.error.code, clash.body.error.param]).toEqual([
      422,
      'case-exists',
      'items.0',
    ]);
    const result = async (query: string) => {
      const { body } = await imported(again, query);
      return body.items[0]?.result;
    };
    expect(await result('on_conflict=skip')).toBe('skipped');
    expect(await result('on_conflict=merge&dry_run=true')).toBe('merged');
    expect(await names()).toEqual(['a']);
    expect(await result('on_conflict=merge')).toBe('merged');
    expect((await ask('GET', `/test-cases/${id}`)).body).toMatchObject({ name: 'b', tags: ['x'] });
    expect(await result('on_conflict=replace')).toBe('replaced');
    expect(await result('on_conflict=replace')).toBe('unchanged');
    const named = await imported([{ name: 'b', tags: ['y'] }], 'match=name&on_conflict=merge');
    expect(named.body.items).toEqual([{ id, result: 'merged' }]);
  });

  test('lose only the unknown keys that the request names', async () => {
    const cases = [{ name: 'a', owner: 'ann' }, { name: 'b' }];
    const { body } = await imported(cases, 'drop=owner');
    expect([body.created, body.dropped]).toEqual([2, { owner: 1 }]);
    const known = await imported(cases, 'drop=name');
    expect([known.status, known.body.error.code]).toEqual([400, 'usage']);
  });

  test('are checked without being written', async () => {
    const { status, body } = await ask('POST', '/test-cases/validate', {
      body: [{ name: 'a' }, { tags: 1 }],
    });
    expect([status, body.cases, body.problems.map((each: { param: string }) => each.param)]).toEqual([
      200,
      0,
      ['items.1.name', 'items.1.tags'],
    ]);
    expect(await names()).toEqual([]);
  });

  test('are imported once for one Idempotency-Key', async () => {
    const send = (body: unknown, key: string) =>
      ask('POST', '/test-cases/import', { body, headers: { 'Idempotency-Key': key } });
    const first = await send([{ name: 'a' }], 'k1');
    const again = await send([{ name: 'a' }], 'k1');
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([
      200,
      first.body,
      'true',
    ]);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const other = await send([{ name: 'b' }], 'k1');
    expect([other.status, other.body.error.code]).toEqual([422, 'idempotency-mismatch']);
    const blank = await send([{ name: 'b' }], 'a b');
    expect([blank.status, blank.body.error.param]).toEqual([400, 'Idempotency-Key']);
    const wrong = await send([{ name: '' }], 'k2');
    expect([wrong.status, (await send([{ name: 'b' }], 'k2')).status]).toEqual([422, 200]);
    expect(await names()).toEqual(['a', 'b']);
  });

  test('are imported once even if the first answer was not stored, as after a kill', async () => {
    const gone = new AssayError('lease-lost', 'the answer was not stored', { stage: 'log' });
    vi.spyOn(store().idempotency, 'finish').mockRejectedValueOnce(gone);
    const asked = { body: [{ name: 'a' }, { name: 'b' }], headers: { 'Idempotency-Key': 'k' } };
    const lost = await ask('POST', '/test-cases/import', asked);
    const again = await ask('POST', '/test-cases/import', asked);
    expect([
      lost.status,
      again.status,
      again.headers.get('idempotency-replayed'),
      again.body.created,
    ]).toEqual([409, 200, 'true', 2]);
    expect(await names()).toEqual(['a', 'b']);
  });

  test('are not imported by a request whose key was taken over by a newer request', async () => {
    const { begin } = store().idempotency;
    vi.spyOn(store().idempotency, 'begin').mockImplementationOnce(async (entry) => {
      await begin({ ...entry, expiresAt: 1 });
      return await begin({ ...entry, expiresAt: entry.expiresAt + 1 });
    });
    const late = await ask('POST', '/test-cases/import', {
      body: [{ name: 'a' }],
      headers: { 'Idempotency-Key': 'k' },
    });
    expect([late.status, late.body.error.code, await names()]).toEqual([409, 'idempotency-running', []]);
  });

  test('of 2,500 cases come out and go in again equal but for times', async () => {
    const tools = (name: string) => [{ tool: 'look', test_case: name, params: { of: name }, result: name }];
    const cases = Array.from({ length: 2500 }, (_, at) => ({
      name: `case ${at}`,
      tags: at % 2 === 0 ? ['even'] : [],
      user_context: { at, '': { deep: [at, null] } },
    }));
    const body = {
      format: 'assay-cases',
      schema_version: '1.0.0',
      test_cases: cases,
      tool_mocks: cases.slice(0, 10).flatMap(({ name }) => tools(name)),
    };
    expect((await imported(body)).body.created).toBe(2500);
    const exported = async (format: string) =>
      (await fetch(`${url()}/api/v1/test-cases/export?format=${format}`)).text();
    const before = await exported('jsonl');
    expect(before.split('\n').length).toBe(2501);
    const same = await imported(before, 'on_conflict=replace', 'application/x-ndjson');
    expect(same.body.unchanged).toBe(2500);
    const yaml = await imported(await exported('yaml'), 'on_conflict=replace', 'application/yaml');
    expect(yaml.body.unchanged).toBe(2500);
    const json = await imported(await exported('json'), 'on_conflict=replace');
    expect(json.body.unchanged).toBe(2500);
  });

  test('of 10,000 cases go in as one stream, and larger ones are refused as a whole', async () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, at) => `${JSON.stringify({ name: `case ${at}` })}\n`).join('');
    const { body } = await imported(lines(10_000), '', 'application/jsonl');
    expect(body.created).toBe(10_000);
    const many = await imported(lines(50_001), '', 'application/jsonl');
    expect([many.status, many.body.error.code]).toEqual([413, 'body-too-large']);
    const large = await imported(`[{"name":"x","description":"${'x'.repeat(10_000_000)}"}]`);
    expect([large.status, large.body.error.code, large.body.error.hint]).toEqual([
      413,
      'body-too-large',
      'send it as JSONL (application/jsonl), one test case a line: that may have 100000000 bytes',
    ]);
    expect((await ask('GET', '/test-cases?search=case%209999')).body.data.length).toBe(1);
  });

  test('have mocks, which are a list of their case', async () => {
    const made = await ask('POST', '/test-cases', { body: { name: 'a' } });
    const path = `/test-cases/${made.body.id}/mocks`;
    const mocks = [
      { tool: 'look', params: { id: 1 }, times: 2, result: { found: true } },
      { tool: 'look', error: { code: 'gone', message: 'no such thing' } },
    ];
    const etag = made.headers.get('etag') ?? '';
    const put = await ask('PUT', path, { body: mocks, headers: { 'If-Match': etag } });
    expect([put.status, put.body]).toEqual([
      200,
      {
        data: [
          { tool: 'look', match: 'partial', params: { id: 1 }, times: 2, result: { found: true } },
          { tool: 'look', match: 'any', times: null, error: { code: 'gone', message: 'no such thing' } },
        ],
      },
    ]);
    expect(put.headers.get('etag')).not.toBe(etag);
    const stale = await ask('PUT', path, { body: [], headers: { 'If-Match': etag } });
    expect([stale.status, stale.body.error.current]).toEqual([412, put.body]);
    const read = await ask('GET', path);
    expect([read.body, read.headers.get('etag')]).toEqual([put.body, put.headers.get('etag')]);
    const wrong = await ask('PUT', path, { body: [{ tool: 'look' }], headers: { 'If-Match': '*' } });
    expect([wrong.status, wrong.body.error.param]).toEqual([422, '0']);
  });

  test('tell their tags with counts, and the usual ones always', async () => {
    await imported([
      { name: 'a', tags: ['x', 'red-team'] },
      { name: 'b', tags: ['x'], status: 'archived' },
    ]);
    expect((await ask('GET', '/test-cases/tags')).body.data).toEqual([
      { tag: 'x', cases: 2 },
      { tag: 'red-team', cases: 1 },
      { tag: 'normal', cases: 0 },
      { tag: 'edge-case', cases: 0 },
    ]);
  });
});

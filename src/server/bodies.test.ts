import { request } from 'node:http';

import { expect, test } from 'vitest';

import { onServedStores } from '../../test/support/served-store.ts';

onServedStores('requests to a server with a store', ({ ask, url }) => {
  const refused = async (body: unknown, headers: Record<string, string> = {}) => {
    const answer = await ask('POST', '/test-cases', { body, headers });
    return [answer.status, answer.body.error.code];
  };

  test('are refused if their body is not JSON, is too large or has another type', async () => {
    expect([
      await refused('{"name":'),
      await refused(''),
      await refused('{"name":"a","name":"b"}'),
      await refused(`${'['.repeat(600)}${']'.repeat(600)}`),
      await refused(`{"name":"${'x'.repeat(2_000_000)}"}`),
      await refused('{"name":"a"}', { 'Content-Type': 'text/plain' }),
      await refused('{"name":"a\\u0000"}'),
      await refused('{"name":"a","user_context":{"n":12345678901234567890}}'),
      await refused('[]'),
      await refused('{"name":"a","user_context":{"\\ud800":1}}'),
    ]).toEqual([
      [400, 'json-syntax'],
      [400, 'json-syntax'],
      [400, 'duplicate-key'],
      [400, 'too-deep'],
      [413, 'body-too-large'],
      [415, 'media-type'],
      [422, 'invalid-value'],
      [422, 'invalid-value'],
      [422, 'wrong-type'],
      [422, 'invalid-value'],
    ]);
    expect((await ask('GET', '/test-cases')).body.data).toEqual([]);
  });

  test('are refused where another site makes them', async () => {
    const foreign = await raw(`${url()}/api/v1/test-cases`, { host: 'evil.test' });
    expect([foreign.status, foreign.body.error.code]).toEqual([403, 'host-not-allowed']);
    expect(await refused({ name: 'a' }, { Origin: 'http://evil.test' })).toEqual([403, 'origin']);
    const own = await ask('POST', '/test-cases', { body: { name: 'a' }, headers: { Origin: url() } });
    expect(own.status).toBe(201);
  });

  test('of any text and number of tags are kept as they are', async () => {
    const name = `'; drop table test_case; -- " \\ %_ 漢 😀`;
    const tags = Array.from({ length: 10_000 }, (_, at) => `tag ${at} '"`);
    const made = await ask('POST', '/test-cases', { body: { name, tags, description: '\u0001' } });
    expect([made.status, made.body.name, made.body.tags, made.body.description]).toEqual([
      201,
      name,
      tags,
      '\u0001',
    ]);
    const found = await ask('GET', `/test-cases?search=${encodeURIComponent(name)}`);
    expect(found.body.data.length).toBe(1);
    const nul = await ask('GET', `/test-cases?search=%00&tag_any=%00&id=%00`);
    expect([nul.status, nul.body.error.code]).toEqual([404, 'unknown-case']);
  });

  test('of a wrong method name the right ones, and unknown addresses say so', async () => {
    const wrong = await ask('DELETE', '/test-cases');
    expect([wrong.status, wrong.body.error.code, wrong.headers.get('allow')]).toEqual([
      405,
      'method-not-allowed',
      'GET, HEAD, POST',
    ]);
    const none = await ask('POST', '/nothing', { body: {} });
    expect([none.status, none.body.error.code]).toEqual([404, 'unknown-route']);
  });

  test('with an invalid If-Match are refused', async () => {
    const { body } = await ask('POST', '/test-cases', { body: { name: 'a' } });
    const change = (etag: string) =>
      ask('PATCH', `/test-cases/${body.id}`, { body: { name: 'b' }, headers: { 'If-Match': etag } });
    const answers = [await change('x'), await change('"x"'), await change('W/"x"'), await change('"a", "b"')];
    expect(answers.map(({ status }) => status)).toEqual([400, 412, 400, 400]);
  });
});

/** A request with headers that `fetch` keeps to itself. */
function raw(
  address: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: { error: { code: string } } }> {
  return new Promise((resolve, reject) => {
    const call = request(address, { headers }, (answer) => {
      let body = '';
      answer.on('data', (chunk) => (body += String(chunk)));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(body) }));
    });
    call.on('error', reject);
    call.end();
  });
}

import { expect, test } from 'vitest';

import { askWithCsrf } from './ask-with-csrf.ts';

const refusal = (code: string) =>
  Response.json({ error: { code, message: '', param: null, request_id: '' } }, { status: 403 });

/** A server that wants `valid`, and what it was sent. */
const serverOf = (valid: string, code = 'csrf') => {
  const sent: (string | null)[] = [];
  const ask = (async (_: unknown, request?: RequestInit) => {
    const text = new Headers(request?.headers).get('X-Assay-CSRF');
    sent.push(text);
    return text === valid ? new Response('{}') : refusal(code);
  }) as typeof fetch;
  return { ask, sent };
};

const source = { csrf: async () => 'old', fresh: async () => 'new' };

test('requests carry the text of the session', async () => {
  const { ask, sent } = serverOf('old');
  expect((await askWithCsrf(ask, source)('/x', { method: 'POST' })).status).toBe(200);
  expect(sent).toEqual(['old']);
});

test('after another tab signed in, the text is asked for once more', async () => {
  const { ask, sent } = serverOf('new');
  expect((await askWithCsrf(ask, source)('/x')).status).toBe(200);
  const never = serverOf('newer');
  expect((await askWithCsrf(never.ask, source)('/x')).status).toBe(403);
  expect([sent, never.sent]).toEqual([
    ['old', 'new'],
    ['old', 'new'],
  ]);
});

test('another refusal is an answer, and nothing is added without a session', async () => {
  const { ask, sent } = serverOf('x', 'forbidden');
  expect((await askWithCsrf(ask, { ...source, csrf: async () => null })('/x')).status).toBe(403);
  expect(sent).toEqual([null]);
});

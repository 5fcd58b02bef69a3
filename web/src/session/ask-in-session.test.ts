import { expect, test } from 'vitest';

import { askInSession } from './ask-in-session.ts';

/** A browser whose first request is refused with 401, after `meanwhile` happened. */
const browser = (meanwhile: 'nothing' | 'a sign-in') => {
  const seen = { asked: 0, ended: 0, signIns: 1 };
  const ask = (async () => {
    seen.asked += 1;
    if (seen.asked > 1) return new Response('{}');
    if (meanwhile === 'a sign-in') seen.signIns += 1;
    return new Response('{}', { status: 401 });
  }) as typeof fetch;
  const sessions = { signInCount: () => seen.signIns, ended: () => void (seen.ended += 1) };
  return { seen, ask: askInSession(ask, sessions) };
};

test('a refusal ends the session', async () => {
  const { ask, seen } = browser('nothing');
  expect([(await ask('/x')).status, seen]).toEqual([401, { asked: 1, ended: 1, signIns: 1 }]);
});

test('a refusal from before a sign-in leaves the new session, and only reading is repeated', async () => {
  const reading = browser('a sign-in');
  expect([(await reading.ask('/x')).status, reading.seen]).toEqual([200, { asked: 2, ended: 0, signIns: 2 }]);
  const writing = browser('a sign-in');
  expect((await writing.ask('/x', { method: 'PUT' })).status).toBe(401);
  expect(writing.seen).toEqual({ asked: 1, ended: 0, signIns: 2 });
});

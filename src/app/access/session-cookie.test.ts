import { expect, test } from 'vitest';

import { csrfOf, issueSession, sessionCookie, sessionIn } from './session-cookie.ts';

const { secret, hash } = issueSession((bytes) => new Uint8Array(bytes).fill(7));

test('a session is 32 random bytes, of which neither the hash nor the CSRF text says anything', () => {
  expect(secret).toBe('BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc');
  expect([hash, csrfOf(secret)]).toEqual([
    expect.stringMatching(/^[0-9a-f]{64}$/),
    expect.stringMatching(/^[0-9a-f]{64}$/),
  ]);
  expect(csrfOf(secret)).not.toBe(hash);
});

test('the cookie is found among others, and only a whole one counts', () => {
  const headers = [
    `a=b; assay_session=${secret}`,
    `assay_session=${secret};c=d`,
    'assay_session=x',
    'a=b',
    '',
  ];
  expect([...headers, undefined].map(sessionIn)).toEqual([
    secret,
    secret,
    '',
    undefined,
    undefined,
    undefined,
  ]);
});

test('the cookie is secure wherever the server is not reached on loopback', () => {
  const isSecure = (host: string) => sessionCookie(secret, host).endsWith('; SameSite=Strict; Secure');
  const hosts = ['localhost:4640', '127.0.0.1:4640', '[::1]:4640', '127.evil.test', 'evals.example.com', ''];
  expect(hosts.map(isSecure)).toEqual([false, false, false, true, true, true]);
});

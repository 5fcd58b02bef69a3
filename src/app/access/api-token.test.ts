import { expect, test } from 'vitest';

import { createRedactor } from '../../lib/redact/redact.ts';
import { areEqualHashes, hashOfHeader, issueToken, roleOfToken, type KeptToken } from './api-token.ts';

test('a token is 32 random bytes, of which only the hash is kept', () => {
  const { token, hash } = issueToken((count) => new Uint8Array(count).fill(255));
  expect([token, hash]).toEqual([`assay_${'_'.repeat(42)}8`, hashOfHeader(`Bearer ${token}`)]);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  const made = Array.from({ length: 100 }, () => issueToken().token);
  expect(made.filter((each) => !/^assay_[\w-]{43}$/.test(each))).toEqual([]);
  expect(new Set(made).size).toBe(100);
});

test.each([
  undefined,
  '',
  'Bearer',
  'Bearer assay_',
  `Basic ${issueToken().token}`,
  `Bearer ${issueToken().token}x`,
  `Bearer ${issueToken().token} `,
  `Bearer other_${'a'.repeat(43)}`,
])('a header without a token of ours has no hash: %j', (header) => {
  expect(hashOfHeader(header)).toBeUndefined();
});

test('the word before a token is read in any case', () => {
  const { token, hash } = issueToken();
  expect(hashOfHeader(`bearer  ${token}`)).toBe(hash);
});

test('hashes are compared whole', () => {
  const { hash } = issueToken();
  expect([areEqualHashes(hash, hash), areEqualHashes(hash, `${hash}0`), areEqualHashes(hash, '')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(areEqualHashes(hash, issueToken().hash)).toBe(false);
});

const kept: KeptToken = { role: 'member', isRevoked: false, account: { role: 'admin', isDisabled: false } };

test.each<[string, Partial<KeptToken>, string | undefined]>([
  ['its role', {}, 'member'],
  ['at most what its account may', { account: { role: 'viewer', isDisabled: false } }, 'viewer'],
  ['its role until it expires', { expiresAt: 1001 }, 'member'],
  ['nothing once it has expired', { expiresAt: 1000 }, undefined],
  ['nothing once it is revoked', { isRevoked: true }, undefined],
  ['nothing while its account is disabled', { account: { role: 'admin', isDisabled: true } }, undefined],
])('a token may %s', (_, more, role) => {
  expect(roleOfToken({ ...kept, ...more }, 1000)).toBe(role);
});

test('a token is hidden in everything written', () => {
  const { token } = issueToken();
  const redactor = createRedactor({ environment: {} });
  expect(redactor.text(`curl -H "Authorization: Bearer ${token}"`)).toBe(
    'curl -H "Authorization: Bearer [redacted:assay-token]"',
  );
});

import { expect, test } from 'vitest';

import { keyDigest } from './key-digest.ts';

const place = { provider: 'openai', baseUrl: undefined, key: 'sk-1' };

test('the digest of a key tells nothing of it, and differs by provider, address and key', () => {
  const digests = [
    place,
    { ...place, key: 'sk-2' },
    { ...place, key: undefined },
    { ...place, provider: 'local' },
    { ...place, baseUrl: 'https://models.example' },
  ].map(keyDigest);
  expect(new Set(digests).size).toBe(5);
  for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(keyDigest({ ...place })).toBe(digests[0]);
});

test('a loopback address is not the same place as an equal address of another machine', () => {
  const local = { ...place, baseUrl: 'http://127.0.0.1:11434/v1' };
  expect(keyDigest(local)).toBe(keyDigest({ ...local }));
  expect(keyDigest(local)).not.toBe(keyDigest({ ...local, baseUrl: 'http://localhost:11434/v1' }));
});

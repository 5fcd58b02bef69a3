import { expect, test } from 'vitest';

import { versionOver } from './agent-version.ts';

test('only a config that differs from the newest makes a version', () => {
  const first = versionOver(undefined, { type: 'http', url: 'http://a.test', headers: { a: '1', b: '2' } });
  expect(first).toEqual({ version: 1, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(
    versionOver(first, { headers: { b: '2', a: '1' }, url: 'http://a.test', type: 'http' }),
  ).toBeUndefined();
  const second = versionOver(first, { type: 'http', url: 'http://b.test' });
  expect([second?.version, second?.digest === first?.digest]).toEqual([2, false]);
  expect(versionOver(second, { type: 'http', url: 'http://a.test', headers: { a: '1', b: '2' } })).toEqual({
    version: 3,
    digest: first?.digest,
  });
});

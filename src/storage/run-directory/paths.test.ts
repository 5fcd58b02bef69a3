import { expect, test } from 'vitest';

import { sha256 } from '../../lib/digest.ts';
import { nameIn, trialDirectoryName } from './paths.ts';

test('A trial gets a directory that its id cannot lead out of', () => {
  const id = { suite: 's', target: 't', repetition: 1 };
  const names = ['../../x', '..', '/etc/passwd', 'a'.repeat(200), '\0'].map((caseId) =>
    trialDirectoryName({ ...id, caseId }),
  );
  expect(names.filter((name) => !/^([a-z0-9][a-z0-9-]{0,59}-)?[0-9a-f]{8}$/.test(name))).toEqual([]);
});

test('A trial directory is a slug of the case id and 8 hex of the sha-256 of the key', () => {
  const id = { suite: 's', caseId: 'Refund Order!', target: 't', repetition: 2 };
  expect(trialDirectoryName(id)).toBe(`refund-order-${sha256('s/Refund Order!/t/r2').slice(0, 8)}`);
  expect(trialDirectoryName({ ...id, caseId: '漢字' })).toMatch(/^[0-9a-f]{8}$/);
});

test('Trials that differ in anything have directories that differ, also where file names ignore case', () => {
  const id = { suite: 's', caseId: 'a b', target: 't', repetition: 1 };
  const others = [
    id,
    { ...id, caseId: 'a-b' },
    { ...id, caseId: 'A B' },
    { ...id, repetition: 2 },
    { ...id, target: 'u' },
    { ...id, suite: 'r' },
  ];
  expect(new Set(others.map((other) => trialDirectoryName(other).toLowerCase())).size).toBe(others.length);
});

test.each([
  ['/run/workspaces/a-attempt-1', 'workspaces/a-attempt-1'],
  ['/run/..odd', '..odd'],
  ['/tmp/kept', '/tmp/kept'],
  ['/runs/x', '/runs/x'],
])('%s is named %s by the rows of a run in /run', (path, place) => {
  expect(nameIn('/run', path)).toBe(place);
});

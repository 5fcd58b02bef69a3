import { expect, test } from 'vitest';

import { isRunId, runId, trialDirectoryName } from './paths.ts';

const START = Date.UTC(2026, 0, 2, 3, 4, 5);

test('A run id tells its second and sorts by the millisecond, whatever the random part', () => {
  const ids = Array.from({ length: 1000 }, (_, ms) => runId(START + ms, Uint8Array.of(999 - ms, ms, 0, 255)));
  expect(ids[0]).toBe('20260102T030405Z-00700z');
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.every(isRunId)).toBe(true);
});

test('A trial gets a directory that its id cannot lead out of', () => {
  const id = { suite: 's', target: 't', repetition: 1 };
  const names = ['../../x', '..', '/etc/passwd', 'a'.repeat(200), '\0'].map((caseId) =>
    trialDirectoryName({ ...id, caseId }),
  );
  expect(names.filter((name) => !/^([a-z0-9][a-z0-9-]{0,59}-)?[0-9a-f]{8}$/.test(name))).toEqual([]);
});

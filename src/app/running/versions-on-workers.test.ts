import { expect, test } from 'vitest';

import { joinedVersions } from './versions-on-workers.ts';

test('one version on all workers is told once, without a warning', () => {
  const versions = { coder: { claude: '2.0.1' } };
  const told = [
    { worker: 'a', versions },
    { worker: 'b', versions },
    { worker: 'c', versions: {} },
  ];
  expect(joinedVersions(told)).toEqual({ versions, warnings: [] });
});

test('different versions are all told, with the workers that have them', () => {
  const told = [
    { worker: 'b', versions: { coder: { claude: '2.0.2' } } },
    { worker: 'a', versions: { coder: { claude: '2.0.1', git: '2.40' } } },
  ];
  expect(joinedVersions(told)).toEqual({
    versions: { coder: { claude: '2.0.1, 2.0.2', git: '2.40' } },
    warnings: ['workers have different versions of claude for target coder: 2.0.1 on a, 2.0.2 on b'],
  });
});

import { expect, test } from 'vitest';

import type { RunResource } from '../../../src/api/resources/run.ts';
import { lineName, runTitle } from './line-name.ts';

const run = (changes: object) =>
  ({ id: 'r1', name: null, line: 'stored', manifest: null, ...changes }) as unknown as RunResource;

test('a run has its name, else its line, else what it ran', () => {
  const manifest = { suites: [{ cases: 3 }] };
  expect([
    runTitle(run({ name: 'nightly', manifest })),
    runTitle(run({ line: 'prompt-b', manifest })),
    runTitle(run({ manifest })),
    runTitle(run({ manifest: { suites: [{ cases: 1, onlyCase: 'Broken lamp' }] } })),
    runTitle(run({})),
    runTitle(run({ line: null })),
  ]).toEqual([
    'nightly',
    'prompt-b',
    'Run of 3 stored test cases',
    'Run of “Broken lamp”',
    'Stored test cases',
    'Run r1',
  ]);
});

test('a line of no name is told in words', () => {
  expect([lineName('stored'), lineName('prompt-b')]).toEqual(['Stored test cases', 'prompt-b']);
});

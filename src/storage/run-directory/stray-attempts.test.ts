import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { afterEach, expect, test } from 'vitest';

import { trialKey } from '../../core/trial.ts';
import { rowOf, scratch } from './fixtures/runs.ts';
import { trialDirectoryName } from './paths.ts';
import { removeStrayAttempts } from './stray-attempts.ts';

const { run, clear } = scratch();
afterEach(clear);

test('attempts that no end tells of leave no files, the others keep theirs', async () => {
  const paths = run();
  const a = trialDirectoryName(rowOf('a'));
  const b = trialDirectoryName(rowOf('b'));
  for (const file of [`${a}/attempt-1/x`, `${a}/attempt-2/x`, `${a}/attempt-10/x`, `${b}/attempt-1/x`]) {
    mkdirSync(dirname(join(paths.trials, file)), { recursive: true });
    writeFileSync(join(paths.trials, file), '');
  }
  await removeStrayAttempts(paths, new Map([[trialKey(rowOf('a')), 2]]));
  expect(readdirSync(paths.trials, { recursive: true }).map(String).sort()).toEqual([
    a,
    `${a}/attempt-1`,
    `${a}/attempt-1/x`,
    `${a}/attempt-2`,
    `${a}/attempt-2/x`,
  ]);
});

test('a run without artifacts has none to remove', async () => {
  const paths = run();
  await removeStrayAttempts(paths, new Map());
  expect(readdirSync(paths.directory)).toEqual([]);
});

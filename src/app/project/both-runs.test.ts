import { join } from 'node:path';

import { expect, test } from 'vitest';

import { DAY, START } from '../../../test/support/store-in-folder.ts';
import { codeOf, complete, redactor } from '../../../test/support/written-runs.ts';
import type { RunStore } from '../../core/run-store.ts';
import { memoryRuns } from '../../storage/memory/store.ts';
import { manifestOf } from '../../storage/run-directory/fixtures/runs.ts';
import { bothRuns } from './both-runs.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

function stores() {
  const folder = folderOfTest('assay-both-');
  const [first, second] = [memoryRuns(join(folder, 'first')), memoryRuns(join(folder, 'second'))];
  return { first, second, both: bothRuns(first, async () => second) };
}

async function begin(store: RunStore, startedAt: number): Promise<string> {
  const run = await store.create({ startedAt, redactor, manifest: (id) => manifestOf({ id }) });
  await complete(run, []);
  return run.manifest.id;
}

test('a run is found in the first store, then in the second; lists and new runs are those of the first', async () => {
  const { first, second, both } = stores();
  const here = await begin(both, START);
  const there = await begin(second, START + DAY);
  expect([await first.list(), await both.list()]).toEqual([[here], [here]]);
  const found = [await both.find(here), await both.find(there), await both.find(`${there}#bot`)];
  expect(found.map(({ run, target }) => [run.place, target])).toEqual([
    [first.open(here).place, undefined],
    [second.open(there).place, undefined],
    [second.open(there).place, 'bot'],
  ]);
  expect((await both.find('latest')).run.name).toBe(here);
});

test('the latest run of the second store is never meant', async () => {
  const { second, both } = stores();
  await begin(second, START);
  expect(await codeOf(both.find('latest'))).toBe('run-not-found');
  expect(await codeOf(both.find('latest#bot'))).toBe('run-not-found');
  expect(await codeOf(both.find('unknown'))).toBe('run-not-found');
});

test('a run is claimed in the store that has it', async () => {
  const { second, both } = stores();
  const there = await begin(second, START);
  const { run } = await both.find(there);
  const claimed = await both.claim(run);
  expect(await codeOf(second.claim(second.open(there)))).toBe('run-in-use');
  await claimed.release();
});

test('if the second store cannot be opened, the error also says what the first one lacks', async () => {
  const { first } = stores();
  const broken = bothRuns(first, () => Promise.reject(new Error('cannot connect')));
  await expect(broken.find('2026')).rejects.toThrow(
    /^no run "2026" in .*; the store cannot be asked: cannot connect$/,
  );
  expect(await codeOf(bothRuns(first, async () => undefined).find('2026'))).toBe('run-not-found');
});

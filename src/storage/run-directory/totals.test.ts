import { appendFileSync, utimesSync } from 'node:fs';

import { afterEach, expect, test } from 'vitest';

import type { Manifest } from '../../core/manifest.ts';
import { runFold } from '../../core/run-view.ts';
import { appendRows } from './append-rows.ts';
import { manifestOf, nothingHidden, rowOf, scratch } from './fixtures/runs.ts';
import { writeManifest } from './manifest.ts';
import type { RunPaths } from './paths.ts';
import { countedStatuses, keptTotals, rowsState } from './totals.ts';

const { run, clear } = scratch();
afterEach(clear);

/** A run of two passed trials whose kept totals tell of one. */
function lyingRun(): { readonly paths: RunPaths; readonly manifest: Manifest } {
  const paths = run();
  appendRows(paths.rows, [rowOf('a'), rowOf('b')]);
  const fold = runFold();
  fold.add(rowOf('a'));
  const { byStatus, costUsd } = fold.ended();
  const manifest = manifestOf({ totals: { ...rowsState(paths), byStatus, costUsd } });
  writeManifest(paths, manifest, nothingHidden);
  return { paths, manifest };
}

const passed = async (paths: RunPaths, manifest: Manifest) => (await countedStatuses(paths, manifest)).passed;

test('kept totals count while the rows are as they were', async () => {
  const { paths, manifest } = lyingRun();
  expect(keptTotals(paths, manifest)).toEqual(manifest.totals);
  expect(await passed(paths, manifest)).toBe(1);
});

test.each([
  ['are longer than they were', (paths: RunPaths) => appendFileSync(paths.rows, '\n')],
  ['were written at another time', (paths: RunPaths) => utimesSync(paths.rows, 1, 1)],
])('rows that %s are counted', async (_, change) => {
  const { paths, manifest } = lyingRun();
  change(paths);
  expect(keptTotals(paths, manifest)).toBeUndefined();
  expect(await passed(paths, manifest)).toBe(2);
});

test('a run that keeps no totals is counted, and so are the ends of one that goes on', async () => {
  const { paths, manifest } = lyingRun();
  expect(await passed(paths, manifestOf())).toBe(2);
  const running: Manifest = { ...manifest, state: 'running' };
  writeManifest(paths, running, nothingHidden);
  expect(await passed(paths, running)).toBe(0);
});

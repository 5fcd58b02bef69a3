import { appendFileSync, utimesSync } from 'node:fs';

import { afterEach, expect, test } from 'vitest';

import type { Manifest } from '../../core/manifest.ts';
import { noStatuses } from '../../core/verdict.ts';
import { emptyTally } from '../../reading/tally.ts';
import { appendRows } from './append-rows.ts';
import { manifestOf, nothingHidden, rowOf, scratch } from './fixtures/runs.ts';
import { readHeadAndEnd, readManifest, readManifestHead, writeManifest } from './manifest.ts';
import type { RunPaths } from './paths.ts';
import { keptEnd } from './told-at-end.ts';
import { countedStatuses } from './totals.ts';

const { run, clear } = scratch();
afterEach(clear);

/** A run of two passed trials whose kept totals tell of one. */
function lyingRun(manifest: Manifest = manifestOf()): RunPaths {
  const paths = run();
  appendRows(paths.rows, [rowOf('a'), rowOf('b')]);
  const { costUsd } = emptyTally;
  const end = keptEnd(paths, { byStatus: { ...noStatuses, passed: 1 }, costUsd, events: [] });
  writeManifest(paths, { ...manifest, ...end }, nothingHidden);
  return paths;
}

const passed = async (paths: RunPaths) => (await countedStatuses(paths, readHeadAndEnd(paths).end)).passed;

test('kept totals count while the rows are as they were, and no reader of the manifest sees them', async () => {
  const paths = lyingRun();
  expect(await passed(paths)).toBe(1);
  const { digests: _, ...head } = manifestOf();
  expect([readManifest(paths), readManifestHead(paths)]).toEqual([manifestOf(), head]);
});

test.each([
  ['are longer than they were', (paths: RunPaths) => appendFileSync(paths.rows, '\n')],
  ['were written at another time', (paths: RunPaths) => utimesSync(paths.rows, 1, 1)],
])('rows that %s are counted', async (_, change) => {
  const paths = lyingRun();
  change(paths);
  expect(await passed(paths)).toBe(2);
});

test('a run without stored totals is counted, and so are the ends of a running run', async () => {
  const paths = lyingRun();
  writeManifest(paths, manifestOf(), nothingHidden);
  expect(await passed(paths)).toBe(2);
  expect(await passed(lyingRun(manifestOf({ state: 'running' })))).toBe(0);
});

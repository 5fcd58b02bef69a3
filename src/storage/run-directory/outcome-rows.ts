import { readManifestHead } from './manifest.ts';
import { outcomeOfRow, type RowOutcome } from '../../core/row-outcome.ts';
import { outcomeReader } from './outcome-line.ts';
import type { RunPaths } from './paths.ts';
import { parseLine, readRawLines } from './read-lines.ts';
import { lastRows } from './reader.ts';

/** The outcome of each trial, several times faster than complete rows. `trustRows`: this process wrote them. */
export async function* outcomeRows(
  paths: RunPaths,
  options: { readonly trustRows?: boolean } = {},
): AsyncGenerator<readonly RowOutcome[]> {
  if (options.trustRows !== true && readManifestHead(paths).state === 'running') {
    for await (const row of lastRows(paths.events)) yield [outcomeOfRow(row)];
    return;
  }
  const outcomeOf = outcomeReader();
  for await (const lines of readRawLines(paths.rows)) {
    yield lines
      .filter((line) => line.length > 0)
      .map((line) => outcomeOf(line) ?? outcomeOfRow(parseLine(line, paths.rows)));
  }
}

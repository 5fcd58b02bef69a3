import type { Row } from '../../core/run.ts';
import { laterRowNumbers, type WrittenRow } from '../runs/row-numbers.ts';
import { lastEnds, readEnds } from './ends.ts';
import { linesWith } from './find-lines.ts';
import type { LogIndex } from './log-index.ts';
import { readManifestHead } from './manifest.ts';
import type { RunPaths } from './paths.ts';
import { parseLine } from './read-lines.ts';

/** The rows of a few cases, found without parsing other rows. */
export async function* rowsOfCases(
  paths: RunPaths,
  caseIds: ReadonlySet<string>,
  index?: LogIndex,
): AsyncGenerator<Row> {
  const marks = [...caseIds].map((id) => `"caseId":${JSON.stringify(id)},`);
  for await (const row of markedRows(paths, marks, index)) if (caseIds.has(row.caseId)) yield row;
}

async function* markedRows(paths: RunPaths, marks: readonly string[], index?: LogIndex): AsyncGenerator<Row> {
  if (readManifestHead(paths).state !== 'running') {
    const numbered = laterRowNumbers(() => readEnds(paths.events));
    for await (const line of linesWith(paths.rows, marks)) {
      yield numbered(parseLine<WrittenRow>(line, paths.rows));
    }
    return;
  }
  for await (const { line, whole } of lastEnds(paths.events, index)) {
    if (marks.some((mark) => line.includes(mark))) yield whole();
  }
}

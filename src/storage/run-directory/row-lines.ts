import type { Row } from '../../core/run.ts';
import type { Status } from '../../core/verdict.ts';
import { laterRowNumbers } from '../runs/row-numbers.ts';
import { lastEnds, readEnds, type RowLine } from './ends.ts';
import { readManifestHead } from './manifest.ts';
import type { RunPaths } from './paths.ts';
import { parseLine, readRawLines } from './read-lines.ts';

/** The status of each trial of a run, without parsing complete rows. */
export async function* statuses(paths: RunPaths): AsyncGenerator<Status> {
  for await (const { line, whole } of rowLines(paths)) yield statusIn(line) ?? whole().status;
}

/**
 * The rows of trials that did not pass as expected and were not skipped. Other rows are not parsed. `trustRows`:
 * this process wrote them.
 */
export async function* unpassedRows(
  paths: RunPaths,
  options: { readonly trustRows?: boolean } = {},
): AsyncGenerator<Row> {
  const numbered = laterRowNumbers(() => readEnds(paths.events));
  for await (const { line, whole } of rowLines(paths, options.trustRows)) {
    if (isPassedLine(line)) continue;
    const row = whole();
    if (!row.passed && row.verdict !== 'skipped') yield numbered(row);
  }
}

async function* rowLines(paths: RunPaths, trustRows = false): AsyncGenerator<RowLine> {
  if (!trustRows && readManifestHead(paths).state === 'running') {
    yield* lastEnds(paths.events);
    return;
  }
  for await (const lines of readRawLines(paths.rows)) {
    for (const line of lines) {
      if (line.length > 0) yield { line, whole: () => parseLine<Row>(line, paths.rows) };
    }
  }
}

/**
 * Inside strings every quote is escaped, and no member before the verdict of a row has the same key. So the
 * first match is the verdict, followed by the status. Undefined if it is not.
 */
function statusIn(line: Buffer): Status | undefined {
  const at = line.indexOf(VERDICT);
  const end = at < 0 ? -1 : line.indexOf(QUOTE, at + VERDICT.length);
  const start = end + STATUS.length;
  const isThere = end >= 0 && line.toString('latin1', end, start) === STATUS;
  const word = isThere ? line.toString('latin1', start, line.indexOf(QUOTE, start)) : '';
  return isStatus(word) ? word : undefined;
}

function isPassedLine(line: Buffer): boolean {
  const at = line.indexOf(VERDICT);
  const passed = at < 0 ? -1 : line.indexOf(PASSED, at);
  return passed >= 0 && line[passed + PASSED.length] === TRUE;
}

const VERDICT = '"verdict":"';
const STATUS = '","status":"';
const PASSED = '"passed":';
const QUOTE = '"';
/** The first letter of `true`. */
const TRUE = 't'.charCodeAt(0);

const STATUSES: Readonly<Record<Status, true>> = {
  passed: true,
  failed: true,
  errored: true,
  skipped: true,
  cancelled: true,
  'expected-failed': true,
  'unexpected-passed': true,
};

function isStatus(word: string): word is Status {
  return Object.hasOwn(STATUSES, word);
}

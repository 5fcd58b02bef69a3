import type { Row } from '../../core/run.ts';
import type { Ends } from '../../core/run-store.ts';
import { endsCollector, eventHead, type EventHead } from '../runs/ends-collector.ts';
import { numberedRow, type WrittenRow } from '../runs/row-numbers.ts';
import { trialEventHead } from './event-head.ts';
import { linesWith } from './find-lines.ts';
import type { LogIndex } from './log-index.ts';
import { parseEvent } from './read-lines.ts';

/** Reads the ends of trials from a log. Keeps a few numbers per trial in memory. */
export async function readEnds(events: string): Promise<Ends> {
  const { add, ends } = endsCollector();
  for await (const line of linesWith(events, [END, RESUMPTION])) add(headOf(line, events));
  return ends;
}

/** A line of the log that contains a row. */
export interface RowLine {
  readonly line: Buffer;
  whole(): Row;
}

/** The last end of each trial, in the order of the log. `index`: of this log. */
export async function* lastEnds(events: string, index?: LogIndex): AsyncGenerator<RowLine> {
  if (index !== undefined) {
    const { placeOf } = await index.ends();
    for await (const line of index.lastEndLines()) yield rowLine(line, events, placeOf);
    return;
  }
  const { isLast, placeOf } = await readEnds(events);
  for await (const line of linesWith(events, [END])) {
    const { trial, sequence, type } = headOf(line, events);
    if (type !== 'trial-end' || trial === undefined || !isLast(trial, sequence)) continue;
    yield rowLine(line, events, placeOf);
  }
}

function rowLine(line: Buffer, events: string, placeOf: Ends['placeOf']): RowLine {
  return { line, whole: () => numberedRow(rowOfEnd(line, events), placeOf) };
}

/** The row in the line of a `trial-end`. */
function rowOfEnd(line: Buffer, events: string): WrittenRow {
  const { fact } = parseEvent(line, events);
  if (fact.type !== 'trial-end') throw new Error(`expected trial-end, got ${fact.type}`);
  return fact.row;
}

function headOf(line: Buffer, path: string): EventHead {
  return trialEventHead(line) ?? eventHead(parseEvent(line, path));
}

/** Inside strings, the last quote would be escaped. */
const END = '"trial-end"';
const RESUMPTION = '"run-resume"';

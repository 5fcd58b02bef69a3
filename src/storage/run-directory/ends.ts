import type { Fact, Row, RunEvent } from '../../core/run.ts';
import type { Ends } from '../../core/run-store.ts';
import { trialEventHead, type TrialEventHead } from './event-head.ts';
import { linesWith } from './find-lines.ts';
import { parseLine } from './read-lines.ts';

/** Reads a log for the ends of its trials; a few numbers a trial are held. */
export async function readEnds(events: string): Promise<Ends> {
  const last = new Map<string, number>();
  const dropped = new Map<string, number>();
  for await (const line of linesWith(events, [END, RESUMPTION])) {
    const { trial, sequence, type, fact } = headOf(line, events);
    if (type === 'trial-end' && trial !== undefined) last.set(trial, sequence);
    if (fact?.type === 'run-resume') for (const key of fact.dropped ?? []) dropped.set(key, sequence);
  }
  const isVoid = (trial: string, sequence: number) => sequence <= (dropped.get(trial) ?? 0);
  return {
    isVoid,
    isLast: (trial, sequence) => last.get(trial) === sequence && !isVoid(trial, sequence),
  };
}

/** The lines of the last ends of trials, in the order of the log. */
export async function* lastEndLines(events: string): AsyncGenerator<Buffer> {
  const { isLast } = await readEnds(events);
  for await (const line of linesWith(events, [END])) {
    const { trial, sequence, type } = headOf(line, events);
    if (type === 'trial-end' && trial !== undefined && isLast(trial, sequence)) yield line;
  }
}

/** The row that the line of an end holds. */
export function rowOfEnd(line: Buffer, events: string): Row {
  const { fact } = parseLine<RunEvent>(line, events);
  if (fact.type !== 'trial-end') throw new Error(`it is no end of a trial: ${fact.type}`);
  return fact.row;
}

interface Head extends Omit<TrialEventHead, 'trial'> {
  readonly trial?: string | undefined;
  /** Where the line had to be read whole. */
  readonly fact?: Fact;
}

function headOf(line: Buffer, path: string): Head {
  const head = trialEventHead(line);
  if (head !== undefined) return head;
  const { trial, sequence, fact } = parseLine<RunEvent>(line, path);
  return { trial, sequence, type: fact.type, fact };
}

/** Inside of strings there is a backslash before the last quote. */
const END = '"trial-end"';
const RESUMPTION = '"run-resume"';

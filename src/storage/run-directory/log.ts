import type { EventLog } from '../../core/log.ts';
import type { Emitted, RunEvent } from '../../core/run.ts';
import { openAppendFile } from './append-file.ts';
import { ATTACH_BYTES, detach } from './attachments.ts';
import type { RunPaths } from './paths.ts';
import { readEvents } from './read-lines.ts';

/** Removes secrets from what is written. */
export interface Redaction {
  /** A fast test: false means that there is surely nothing to remove. */
  touches(text: string): boolean;
  json<T>(value: T): T;
}

export interface RunLog extends EventLog {
  close(): void;
}

/** Rows may wait this long, in milliseconds: the events hold them already. */
const ROWS_MS = 50;

/** The log of one run directory: events.jsonl at once, results.jsonl in batches. One process writes it. */
export function openRunLog(paths: RunPaths, redaction: Redaction, lastSequence: number): RunLog {
  const events = openAppendFile(paths.events);
  const rows = openAppendFile(paths.rows);
  let sequence = lastSequence;
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;

  const writeRows = () => {
    clearTimeout(timer);
    timer = undefined;
    const text = waiting;
    waiting = '';
    if (text !== '') rows.write(text);
  };

  const append = (facts: readonly Emitted[]): Promise<readonly RunEvent[]> => {
    const kept: RunEvent[] = [];
    let text = '';
    for (const emitted of facts) {
      const line = lineOf({ sequence: sequence + 1, ...emitted });
      sequence += 1;
      text += line.text;
      kept.push(line.event);
      if (line.row !== undefined) waiting += line.row;
    }
    events.write(text);
    if (waiting !== '') timer ??= setTimeout(() => attempt(writeRows), ROWS_MS);
    return Promise.resolve(kept);
  };

  const lineOf = (raw: RunEvent): { event: RunEvent; text: string; row?: string } => {
    let event = raw;
    let written = serialize(event);
    if (redaction.touches(written.text)) {
      event = redaction.json(event);
      written = serialize(event);
    }
    if (written.text.length > ATTACH_BYTES) {
      event = { ...event, fact: detach(event.fact, paths.attachments) };
      written = serialize(event);
    }
    return { event, ...written };
  };

  let failure: unknown;
  const attempt = (write: () => void) => {
    try {
      write();
    } catch (error) {
      failure ??= error;
    }
  };

  return {
    append: (facts) => {
      if (failure !== undefined) return Promise.reject(failure);
      try {
        return append(facts);
      } catch (error) {
        return Promise.reject(error);
      }
    },
    read: (after = 0) => readEvents(paths.events, after),
    close() {
      writeRows();
      events.close();
      rows.close();
      if (failure !== undefined) throw failure;
    },
  };
}

/** A row is written twice and put into JSON once. */
function serialize(event: RunEvent): { text: string; row?: string } {
  if (event.fact.type !== 'trial-end') return { text: JSON.stringify(event) + '\n' };
  const row = JSON.stringify(event.fact.row);
  const { fact: _, ...envelope } = event;
  const head = JSON.stringify(envelope).slice(0, -1);
  return { text: `${head},"fact":{"type":"trial-end","row":${row}}}\n`, row: row + '\n' };
}

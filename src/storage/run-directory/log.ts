import { AssayError } from '../../core/errors.ts';
import type { RunLog } from '../../core/log.ts';
import type { RunEvent } from '../../core/run.ts';
import { openAppendFile } from './append-file.ts';
import { ATTACH_BYTES, detach } from './attachments.ts';
import type { RunPaths } from './paths.ts';
import { readEvents } from './read-lines.ts';
import { removeIfEmpty } from './remove-if-empty.ts';
import { redactFact } from './redact-fact.ts';
import type { Redaction } from './redaction.ts';
import { standIn } from './stand-in.ts';

/** Rows may wait this long, in milliseconds: the events hold them already. */
const ROWS_MS = 50;

/** The log of one run directory: events.jsonl at once, results.jsonl in batches. One process writes it. */
export function openRunLog(paths: RunPaths, redaction: Redaction, lastSequence: number): RunLog {
  const events = openAppendFile(paths.events);
  const rows = openRowFile(paths.rows);
  const lineOf = lineWriter(paths.attachments, redaction);
  let sequence = lastSequence;
  return {
    append(facts) {
      try {
        rows.check();
        const lines = facts.map((emitted, index) => lineOf({ sequence: sequence + index + 1, ...emitted }));
        events.write(lines.map(({ text }) => text).join(''));
        sequence += lines.length;
        for (const { row } of lines) if (row !== undefined) rows.add(row);
        return Promise.resolve(lines.map(({ event }) => event));
      } catch (error) {
        return Promise.reject(error);
      }
    },
    read: (after = 0) => readEvents(paths.events, after),
    writeRows() {
      rows.write();
      events.ensureThere();
      rows.ensureThere();
    },
    close() {
      rows.write();
      events.close();
      rows.close();
      removeIfEmpty(paths.trials);
    },
    abandon() {
      events.close();
      rows.close();
    },
  };
}

/** results.jsonl in batches; a failure of a batch shows at the next `check`. */
function openRowFile(path: string) {
  const file = openAppendFile(path);
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  let failure: { readonly error: unknown } | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    const text = waiting;
    waiting = '';
    if (text !== '') file.write(text);
  };
  const later = () => {
    try {
      write();
    } catch (error) {
      failure = { error };
    }
  };
  return {
    add(line: string) {
      waiting += line;
      timer ??= setTimeout(later, ROWS_MS);
    },
    check() {
      if (failure !== undefined) throw failure.error;
    },
    write() {
      if (failure !== undefined) throw failure.error;
      write();
    },
    ensureThere: file.ensureThere,
    close() {
      clearTimeout(timer);
      file.close();
    },
  };
}

interface Line {
  readonly event: RunEvent;
  readonly text: string;
  readonly row?: string;
}

/** Makes the line of an event; one that cannot be made into JSON is told of, and errors its trial instead of ending the run. */
function lineWriter(attachments: string, redaction: Redaction): (event: RunEvent) => Line {
  const lineOf = lineMaker(attachments, redaction);
  const spoilt = new Map<string, unknown>();
  return (event) => {
    const { trial, fact } = event;
    const before = trial === undefined ? undefined : spoilt.get(trial);
    if (before !== undefined && fact.type === 'trial-end') return lineOf(standIn(event, before));
    try {
      return lineOf(event);
    } catch (error) {
      if (trial === undefined || error instanceof AssayError) throw error;
      spoilt.set(trial, error);
      return lineOf(standIn(event, error));
    }
  };
}

/** Without secrets, large parts in files of their own. */
function lineMaker(attachments: string, redaction: Redaction): (event: RunEvent) => Line {
  return (raw) => {
    let event = raw;
    let written = serialize(event);
    if (redaction.touches(written.text)) {
      event = { ...event, fact: redactFact(event.fact, redaction) };
      written = serialize(event);
    }
    if (isLarge(written.text)) {
      event = { ...event, fact: detach(event.fact, attachments) };
      written = serialize(event);
    }
    return { event, ...written };
  };
}

function isLarge(text: string): boolean {
  return text.length > ATTACH_BYTES / 3 && Buffer.byteLength(text) > ATTACH_BYTES;
}

/** A row is written twice and put into JSON once. */
function serialize(event: RunEvent): { text: string; row?: string } {
  if (event.fact.type !== 'trial-end') return { text: JSON.stringify(event) + '\n' };
  const row = JSON.stringify(event.fact.row);
  const { fact: _, ...envelope } = event;
  const head = JSON.stringify(envelope).slice(0, -1);
  return { text: `${head},"fact":{"type":"trial-end","row":${row}}}\n`, row: row + '\n' };
}

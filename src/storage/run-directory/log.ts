import type { RunLog } from '../../core/log.ts';
import type { RunEvent } from '../../core/run.ts';
import { eventOf, lineWriter } from '../runs/line-writer.ts';
import type { Redaction } from '../runs/redaction.ts';
import { openAppendFile } from './append-file.ts';
import { attach } from './attachments.ts';
import type { RunPaths } from './paths.ts';
import { readEvents } from './read-lines.ts';
import { removeIfEmpty } from './remove-if-empty.ts';

/** Longest delay for rows in milliseconds. Their events are already written. */
const ROWS_MS = 50;

/** The log of one run directory: writes events.jsonl immediately, results.jsonl in batches. Only one process writes it. */
export function openRunLog(paths: RunPaths, redaction: Redaction, lastSequence: number): RunLog {
  const events = openAppendFile(paths.events);
  const rows = openRowFile(paths.rows);
  const lineOf = lineWriter(redaction, (text) => attach(text, paths.attachments));
  let sequence = lastSequence;
  return {
    append(facts) {
      try {
        rows.check();
        const written: RunEvent[] = [];
        const ended: string[] = [];
        const texts: string[] = [];
        for (const emitted of facts) {
          const line = lineOf(eventOf(sequence + written.length + 1, emitted));
          written.push(line.event);
          texts.push(line.text);
          if (line.row !== undefined) ended.push(line.row);
        }
        events.write(texts);
        sequence += written.length;
        rows.add(ended);
        return Promise.resolve(written);
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

/** Writes results.jsonl in batches. `check` throws the failure of an earlier batch. */
function openRowFile(path: string) {
  const file = openAppendFile(path);
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let failure: { readonly error: unknown } | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting;
    waiting = [];
    if (lines.length > 0) file.write(lines);
  };
  const later = () => {
    try {
      write();
    } catch (error) {
      failure = { error };
    }
  };
  return {
    add(lines: readonly string[]) {
      if (lines.length === 0) return;
      for (const line of lines) waiting.push(line);
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

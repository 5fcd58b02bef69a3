import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';

import { lineQueue } from '../../lib/process/line-queue.ts';
import { lineSplitter } from '../../lib/process/lines.ts';
import { runProcess } from '../../lib/process/run-process.ts';
import type { CheckEvents, CheckThread } from './check-thread.ts';

export interface LineProgram {
  /** Its last argument is a word of its own: only lines that begin with it are answers. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Makes an answer of one of its lines. */
  readonly read: (line: unknown) => unknown;
}

/** A program that runs checks, one at a time, until it is terminated. It reads requests as lines of JSON. */
export function startLineProcess({ command, cwd, environment: env, read }: LineProgram): CheckThread {
  const events = new EventEmitter();
  const requests = lineQueue();
  const stop = new AbortController();
  const word = randomUUID();
  const lines = lineSplitter(MOST_LINE_BYTES);
  const hear = (text: string): void => {
    if (text.startsWith(`${word} `)) events.emit('message', read(JSON.parse(text.slice(word.length + 1))));
  };
  const spec = {
    command: [...command, word],
    cwd,
    env,
    stdin: requests.lines,
    isBackground: true as const,
    maxOutputBytes: Infinity,
    keepBytes: 0,
    graceMs: 0,
    drainMs: 100,
    marker: { name: 'ASSAY_GRADER', value: word },
    onStdout: (chunk: Uint8Array) => {
      for (const { text } of lines.push(chunk)) hear(text);
    },
  };
  runProcess(spec, stop.signal).then(
    (result) => {
      requests.close();
      if (result.outcome === 'spawn-failed')
        events.emit('error', new Error(`it could not be started: ${result.failure.message}`));
      else events.emit('exit', result.exitCode ?? -1);
    },
    (error: unknown) => events.emit('error', error),
  );
  const thread: CheckThread = {
    on: (event, listener) => (events.on(event, listener), thread),
    off: (event: keyof CheckEvents, listener: CheckEvents[keyof CheckEvents]) => (
      events.off(event, listener),
      thread
    ),
    postMessage: (request) => requests.push(JSON.stringify(request)),
    terminate: () => {
      stop.abort(new Error('the check is over'));
      requests.close();
    },
    ref: () => {},
    unref: () => {},
  };
  return thread;
}

const MOST_LINE_BYTES = 32 * 2 ** 20;

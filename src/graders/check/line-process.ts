import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';

import { lineQueue } from '../../lib/process/line-queue.ts';
import { GRADER_MARKER, ownMarker } from '../../lib/process/own-token.ts';
import { runProcess } from '../../lib/process/run-process.ts';
import type { CheckThread } from './check-thread.ts';
import { lineAnswers, type AnswerForm } from './line-answers.ts';

export interface LineProgram extends AnswerForm {
  /** Its last argument is a word of its own: only lines that begin with it are answers. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A program that runs checks, one at a time, until it is terminated. It reads requests as lines of JSON. */
export function startLineProcess(program: LineProgram): CheckThread {
  const events = new EventEmitter();
  const requests = lineQueue();
  const stop = new AbortController();
  const word = randomUUID();
  const answers = lineAnswers(program, word, (answer) => events.emit('message', answer));
  const spec = {
    command: [...program.command, word],
    cwd: program.cwd,
    env: program.environment,
    stdin: requests.lines,
    isBackground: true as const,
    maxOutputBytes: Infinity,
    keepBytes: 0,
    graceMs: 0,
    drainMs: 100,
    marker: { name: GRADER_MARKER, value: ownMarker() },
    onStdout: answers.stdout,
    onStderr: answers.stderr,
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
    postMessage: (request) => {
      answers.clear();
      requests.push(JSON.stringify(request));
    },
    printed: answers.printed,
    terminate: () => {
      stop.abort(new Error('the check is over'));
      requests.close();
    },
    ref: () => {},
    unref: () => {},
  };
  return thread;
}

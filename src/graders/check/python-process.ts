import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';

import { isObject } from '../../lib/json.ts';
import { lineQueue } from '../../lib/process/line-queue.ts';
import { lineSplitter } from '../../lib/process/lines.ts';
import { runProcess } from '../../lib/process/run-process.ts';
import { readAnswer, type CheckSaid } from './check-answer.ts';
import type { CheckEvents, CheckThread } from './check-thread.ts';
import { PYTHON_HOST } from './python-host.ts';

/** Memory that a check may use. */
export const MOST_PYTHON_MB = 1024;

/** A process of `python3` that runs checks, one at a time, until it is terminated. */
export function startPython(environment: Readonly<Record<string, string>>): CheckThread {
  const events = new EventEmitter();
  const requests = lineQueue();
  const stop = new AbortController();
  const word = randomUUID();
  const lines = lineSplitter();
  const hear = (text: string): void => {
    if (!text.startsWith(`${word} `)) return;
    const answer: unknown = JSON.parse(text.slice(word.length + 1));
    events.emit(
      'message',
      isObject(answer) && 'python' in answer ? { said: saidIn(answer['python']) } : answer,
    );
  };
  const command = ['python3', '-c', HOST, word];
  const process = runProcess(
    {
      command,
      cwd: '/',
      env: { ...environment, PYTHONDONTWRITEBYTECODE: '1' },
      stdin: requests.lines,
      isBackground: true,
      maxOutputBytes: Infinity,
      keepBytes: 0,
      graceMs: 0,
      drainMs: 100,
      marker: { name: 'ASSAY_GRADER', value: word },
      onStdout: (chunk) => {
        for (const { text } of lines.push(chunk)) hear(text);
      },
    },
    stop.signal,
  );
  process.then(
    (result) => {
      requests.close();
      if (result.outcome === 'spawn-failed') events.emit('error', startFault(result.failure.message));
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

const HOST = PYTHON_HOST.replaceAll('MOST_BYTES', String(MOST_PYTHON_MB * 2 ** 20));

function startFault(message: string): Error {
  return new Error(`python3 could not be started: ${message}`);
}

/** Reads what the host says about a check that has ended. */
function saidIn(result: unknown): CheckSaid {
  if (!isObject(result)) return { fault: 'the check returned nothing' };
  const { failed, fault, odd } = result;
  if (typeof fault === 'string') return { fault };
  if (typeof failed === 'string') return { score: 0, reason: failed };
  if (typeof odd === 'string') {
    return {
      fault: `the check returned ${odd}; return True, False, a number from 0 to 1, or a dict with score or pass`,
    };
  }
  return readAnswer(result['answer'] ?? 'None');
}

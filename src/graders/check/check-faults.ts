import { MeasurementError } from '../../core/errors.ts';
import { ScriptError } from '../code-judge-result.ts';
import type { CheckThread } from './check-thread.ts';
import type { Printed } from './printed-output.ts';

/** What messages call the thread of a check. */
export type ThreadNoun = 'thread' | 'process';

/** Time limit for a module to load, and for the thread to start, in milliseconds. */
export const LOAD_MS = 60_000;
/** Memory that the checks of a thread may use, in MB. */
export const MOST_MEMORY_MB = 256;

export function lateFault(timeoutMs: number, { printed }: CheckThread): MeasurementError {
  return brokenCheck(
    `the check took more than ${timeoutMs} ms`,
    'raise `timeout_ms`, or make the check faster',
    printed?.(),
  );
}

export function loadFault({ printed }: CheckThread): MeasurementError {
  return brokenCheck(
    `the check was not loaded within ${LOAD_MS} ms`,
    'move slow work from the top of the module into the check',
    printed?.(),
  );
}

export function endFault(code: number, { printed }: CheckThread, noun: ThreadNoun): MeasurementError {
  if (noun === 'thread')
    return brokenCheck(`the check ended its thread: process.exit(${code})`, 'return the grade instead');
  return brokenCheck(
    `the check ended its process, with exit code ${code}`,
    'return the grade instead',
    printed?.(),
  );
}

export function threadFault(
  error: NodeJS.ErrnoException,
  { printed }: CheckThread,
  noun: ThreadNoun,
): MeasurementError {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return brokenCheck(
      `the check used more than ${MOST_MEMORY_MB} MB of memory`,
      'make the check keep less data in memory',
    );
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return brokenCheck(
    `an uncaught error ended the ${noun} of the check: ${words}`,
    'make the check wait for everything that it starts',
    printed?.(),
  );
}

/** With what the check printed, if that is known. */
function brokenCheck(what: string, hint: string, printed?: Printed): MeasurementError {
  if (printed === undefined) return new MeasurementError(what, { stage: 'grading', kind: 'grader', hint });
  return new ScriptError(what, { exitCode: null, signal: null, ...printed }, hint);
}

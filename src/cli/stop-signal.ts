import { killAllNow } from '../lib/process/live-processes.ts';

/** Ctrl-C and SIGTERM as an abort signal, for a command that has something to put away. */
export interface StopSignal extends Disposable {
  readonly signal: AbortSignal;
  /** The exit code of a stopped command; undefined: it was not stopped. */
  exitCode(): number | undefined;
}

/** The first signal aborts. The second ends this process, as if nobody listened. */
export function listenForStop(): StopSignal {
  const stop = new AbortController();
  let by: number | undefined;
  const listeners = CODES.map(([name, code]) => {
    const listener = (): void => {
      release();
      by = code;
      stop.abort(new Error('interrupted'));
    };
    return [name, listener] as const;
  });
  const release = (): void => {
    for (const [name, listener] of listeners) process.off(name, listener);
  };
  for (const [name, listener] of listeners) process.on(name, listener);
  process.on('exit', killAllNow);
  return { signal: stop.signal, exitCode: () => by, [Symbol.dispose]: release };
}

const CODES = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

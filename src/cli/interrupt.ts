import { killAllNow } from '../lib/process/live-processes.ts';

/** How long trials in flight may take to end after the first Ctrl-C, in milliseconds. */
const GRACE_MS = 10_000;

/** Turns Ctrl-C, SIGTERM and the end of the terminal into signals that a run can follow. */
export interface Interrupt {
  /** Aborted: start nothing more. */
  readonly stop: AbortSignal;
  /** Aborted: give up what is in flight. */
  readonly abandon: AbortSignal;
  stoppedBy(): 'SIGINT' | 'SIGTERM' | undefined;
  release(): void;
}

/** Once: nothing new starts, trials in flight get 10 s. Twice: everything ends now. */
export function listenForInterrupts(): Interrupt {
  const stop = new AbortController();
  const abandon = new AbortController();
  let by: 'SIGINT' | 'SIGTERM' | undefined;
  let timer: NodeJS.Timeout | undefined;
  const onSignal = (signal: 'SIGINT' | 'SIGTERM') => {
    if (by !== undefined) {
      abandon.abort(new Error('interrupted twice'));
      killAllNow();
      return;
    }
    by = signal;
    process.stderr.write(
      '\nStopping: nothing new is started, trials in flight get 10 s. Ctrl-C again ends them now.\n',
    );
    stop.abort(new Error('interrupted'));
    timer = setTimeout(() => abandon.abort(new Error('interrupted')), GRACE_MS);
  };
  const onHangup = () => onSignal('SIGTERM');
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('SIGHUP', onHangup);
  process.on('exit', killAllNow);
  return {
    stop: stop.signal,
    abandon: abandon.signal,
    stoppedBy: () => by,
    release() {
      clearTimeout(timer);
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
      process.off('SIGHUP', onHangup);
    },
  };
}

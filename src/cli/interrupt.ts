import { setMaxListeners } from 'node:events';

import { isLoadingModule } from '../lib/modules/import-module.ts';
import { killAllForGood, killAllNow } from '../lib/process/live-processes.ts';

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
  // Everything under way listens, and everything that waits in line for money or for a model.
  setMaxListeners(0, stop.signal, abandon.signal);
  let by: 'SIGINT' | 'SIGTERM' | undefined;
  let timer: NodeJS.Timeout | undefined;
  const onSignal = (signal: 'SIGINT' | 'SIGTERM', tell: () => void) => {
    if (by !== undefined) {
      abandon.abort(new Error('interrupted twice'));
      killAllForGood();
      // What a suite waits for while it is loaded hears of no signal, and nothing is measured yet.
      if (isLoadingModule()) process.exit(by === 'SIGINT' ? 130 : 143);
      return;
    }
    by = signal;
    tell();
    stop.abort(new Error('interrupted'));
    timer = setTimeout(() => abandon.abort(new Error('interrupted')), GRACE_MS);
  };
  const onInterrupt = () => onSignal('SIGINT', () => tellOfStopping());
  const onTerm = () => onSignal('SIGTERM', () => tellOfStopping('SIGTERM'));
  // A terminal that is gone has nobody to tell, and writing to it fails; a file or a pipe is still there.
  const onHangup = () =>
    onSignal('SIGTERM', () => {
      if (!process.stderr.isTTY) tellOfStopping('SIGHUP');
    });
  outliveTheTerminal();
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerm);
  process.on('SIGHUP', onHangup);
  process.on('exit', killAllNow);
  return {
    stop: stop.signal,
    abandon: abandon.signal,
    stoppedBy: () => by,
    release() {
      clearTimeout(timer);
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerm);
      process.off('SIGHUP', onHangup);
    },
  };
}

/** `signal`: what came from a program; absent: somebody pressed Ctrl-C. */
function tellOfStopping(signal?: 'SIGTERM' | 'SIGHUP'): void {
  const [by, again] = signal === undefined ? ['', 'Ctrl-C again'] : [` on ${signal}`, 'Another signal'];
  process.stderr.write(
    `\nStopping${by}: nothing new is started, trials in flight get 10 s. ${again} ends them now.\n`,
  );
}

/** Writes to a terminal that is gone end nothing: what is measured is in the run, not on the screen. */
function outliveTheTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
  }
}

function ignore(): void {}

import { setMaxListeners } from 'node:events';

import { isLoadingModule } from '../lib/modules/import-module.ts';
import { killAllForGood, killAllNow } from '../lib/process/live-processes.ts';

/** Time that running trials get to end after the first Ctrl-C, in milliseconds. */
const GRACE_MS = 10_000;

/** Turns Ctrl-C, SIGTERM and a closed terminal into abort signals for a run. */
export interface Interrupt {
  /** When aborted: start no more trials. */
  readonly stop: AbortSignal;
  /** When aborted: end the running trials. */
  readonly abandon: AbortSignal;
  stoppedBy(): 'SIGINT' | 'SIGTERM' | undefined;
  release(): void;
}

/**
 * After the first signal, no trial starts and running trials get 10 s. After the second, everything ends now. A run of a
 * server ends when the server says so, so `abandon` waits for the second signal.
 */
export function listenForInterrupts(place?: 'server'): Interrupt {
  const stop = new AbortController();
  const abandon = new AbortController();
  // Running trials listen to this, and so do calls that wait for budget or for a model.
  setMaxListeners(0, stop.signal, abandon.signal);
  const say = place === 'server' ? tellOfCancelling : tellOfStopping;
  let by: 'SIGINT' | 'SIGTERM' | undefined;
  let timer: NodeJS.Timeout | undefined;
  const onSignal = (signal: 'SIGINT' | 'SIGTERM', tell: () => void) => {
    if (by !== undefined) {
      abandon.abort(new Error('interrupted twice'));
      killAllForGood();
      // A suite that is still loading gets no signal, and no trial has been measured yet.
      if (isLoadingModule()) process.exit(by === 'SIGINT' ? 130 : 143);
      return;
    }
    by = signal;
    tell();
    stop.abort(new Error('interrupted'));
    if (place === 'server') return;
    timer = setTimeout(() => abandon.abort(new Error('interrupted')), GRACE_MS);
  };
  const onInterrupt = () => onSignal('SIGINT', () => say());
  const onTerm = () => onSignal('SIGTERM', () => say('SIGTERM'));
  // Writing to a closed terminal fails and has no reader. A file or a pipe still exists.
  const onHangup = () =>
    onSignal('SIGTERM', () => {
      if (!process.stderr.isTTY) say('SIGHUP');
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

/** Does the work of a command that a signal stops. Returns its exit code. */
export async function untilInterrupted(work: (stop: AbortSignal) => Promise<number>): Promise<number> {
  const interrupt = listenForInterrupts();
  try {
    return await work(interrupt.stop);
  } catch (error) {
    const signal = interrupt.stoppedBy();
    if (signal === undefined) throw error;
    return signal === 'SIGINT' ? 130 : 143;
  } finally {
    interrupt.release();
  }
}

/** `signal`: sent by a program. Absent: a person pressed Ctrl-C. */
function tellOfStopping(signal?: 'SIGTERM' | 'SIGHUP'): void {
  const [by, again] = signal === undefined ? ['', 'Ctrl-C again'] : [` on ${signal}`, 'Another signal'];
  process.stderr.write(
    `\nStopping${by}: no new trials are started, running trials get 10 s. ${again} ends them now.\n`,
  );
}

/** The same about a run that a server executes. */
function tellOfCancelling(signal?: 'SIGTERM' | 'SIGHUP'): void {
  const [by, again] = signal === undefined ? ['', 'Ctrl-C again'] : [` on ${signal}`, 'Another signal'];
  process.stderr.write(`\nCancelling the run on the server${by}. ${again} leaves without waiting for it.\n`);
}

/** A failed write to a closed terminal does not end the run, because the results are in the run, not on the screen. */
function outliveTheTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
  }
}

function ignore(): void {}

import { pause, systemClock, type Clock } from '../time/clock.ts';
import { isOutOfFiles } from './open-files-limit.ts';

export interface FilesWait {
  readonly signal: AbortSignal;
  /** Called when a wait begins; the result is called when it is over. */
  readonly hold?: (() => () => void) | undefined;
  readonly clock?: Clock;
}

/** Starts a program as soon as enough file descriptors are free, or gives up after a minute. */
export async function waitForFiles<Started extends object>(
  start: () => Promise<Started>,
  { signal, hold, clock = systemClock }: FilesWait,
): Promise<Started> {
  const first = await start();
  if (!lacksFiles(first)) return first;
  const deadlineMs = clock.now() + LONGEST_WAIT_MS;
  const goOn = hold?.();
  try {
    for (let last = first; ; last = await start()) {
      if (!lacksFiles(last) || signal.aborted || clock.now() > deadlineMs) return last;
      await pause(WAIT_MS, signal, clock).catch(() => {});
    }
  } finally {
    goOn?.();
  }
}

function lacksFiles(started: object): boolean {
  return 'failure' in started && isOutOfFiles(started.failure);
}

const WAIT_MS = 50;
const LONGEST_WAIT_MS = 60_000;

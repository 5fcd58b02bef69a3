import { currentFrame } from './trial-frame.ts';

let isWatching = false;

/**
 * From the first hook on, a rejection in a hook that nobody waits for is its failure and not the end of the process:
 * also one that comes when the hook has ended long ago.
 */
export function watchLostRejections(): void {
  if (!isWatching) process.on('unhandledRejection', keep);
  isWatching = true;
}

function keep(reason: unknown): void {
  const frame = currentFrame();
  if (frame !== undefined) {
    if (frame.late === undefined) frame.lost.push(reason);
    else frame.late(reason);
    return;
  }
  // What is no hook's ends the process, as it would without us.
  if (process.listenerCount('unhandledRejection') === 1) throw reason;
}

import { currentFrame } from './trial-frame.ts';

let hooks = 0;

/** While a hook runs, a rejection in it that nobody waits for is its failure and not the end of the process. */
export function watchLostRejections(): () => void {
  hooks += 1;
  if (hooks === 1) process.on('unhandledRejection', keep);
  return () => {
    hooks -= 1;
    if (hooks === 0) process.off('unhandledRejection', keep);
  };
}

function keep(reason: unknown): void {
  const frame = currentFrame();
  // What is no hook's ends the process, as it would without us.
  if (frame === undefined) throw reason;
  frame.lost.push(reason);
}

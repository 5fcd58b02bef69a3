import { availableParallelism } from 'node:os';

/** Lets checks in, as many at once as there may be threads. */
export interface WaitingLine {
  /** Resolves when there is room for a check. */
  room(): Promise<void>;
  /** Gives the room of a check to the next one. */
  leave(): void;
}

/**
 * Begins with room for one. To start a thread costs more than hundreds of short checks, so there is room for another one
 * only when a check has waited for long.
 */
export function waitingLine(): WaitingLine {
  const waiting: { readonly since: number; readonly enter: () => void }[] = [];
  let busy = 0;
  let most = 1;
  let timer: NodeJS.Timeout | undefined;
  const watch = (): void => {
    if (most < MOST_THREADS && waiting.length > 0) timer ??= setTimeout(look, PATIENCE_MS / 2).unref();
  };
  const look = (): void => {
    timer = undefined;
    const [first] = waiting;
    if (first !== undefined && performance.now() - first.since >= PATIENCE_MS) {
      most += 1;
      busy += 1;
      waiting.shift();
      first.enter();
    }
    watch();
  };
  return {
    room: async () => {
      if (busy < most) return void (busy += 1);
      const turn = new Promise<void>((enter) => waiting.push({ since: performance.now(), enter }));
      watch();
      await turn;
    },
    leave: () => {
      const next = waiting.shift();
      if (next === undefined) busy -= 1;
      else next.enter();
    },
  };
}

const PATIENCE_MS = 250;
const MOST_THREADS = Math.max(1, Math.min(4, availableParallelism()));

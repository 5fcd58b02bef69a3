import type { World } from '../../core/target.ts';
import type { Terminal } from './adapter.ts';
import type { TurnState } from './turn-reader.ts';

export interface Settled {
  readonly terminal: Terminal;
  readonly note: string;
}

/** Decides when the process of a turn must be ended. */
export interface TurnEnding {
  /** Aborted when the process must be ended, for any reason. */
  readonly signal: AbortSignal;
  /** Called after every line. */
  heard(state: TurnState): void;
  settled(): Settled | undefined;
  close(): void;
}

/** Time for a process to exit after its terminal event. */
export const LINGER_MS = 10_000;

export function turnEnding(world: World, stop: AbortSignal, onOver: () => void): TurnEnding {
  const ending = new AbortController();
  const relay = (): void => ending.abort(stop.reason);
  stop.addEventListener('abort', relay, { once: true });
  if (stop.aborted) relay();
  let lingering: NodeJS.Timeout | undefined;
  let quiet: NodeJS.Timeout | undefined;
  let awaited: TurnState['settles'];
  let settled: Settled | undefined;

  const over = (afterMs: number): void => {
    if (lingering !== undefined) return;
    // Stays so: later actions of the process and reading its files do not belong to the turn.
    world.hold?.();
    lingering = setTimeout(() => ending.abort(LINGERED), afterMs);
    onOver();
  };
  return {
    signal: ending.signal,
    heard({ terminal, abandon, settles }) {
      if (awaited === settles && settles !== undefined) return;
      clearTimeout(quiet);
      awaited = settles;
      if (abandon !== undefined) ending.abort(LINGERED);
      else if (terminal !== undefined) over(LINGER_MS);
      else if (settles !== undefined) {
        quiet = setTimeout(() => {
          settled = settles;
          over(0);
        }, settles.afterMs);
      }
    },
    settled: () => settled,
    close() {
      stop.removeEventListener('abort', relay);
      clearTimeout(lingering);
      clearTimeout(quiet);
    },
  };
}

const LINGERED = new Error('it did not exit after the end of its turn');

/** A restartable timer. With null it never fires. */
export interface Timer {
  start(ms: number | null): void;
  stop(): void;
}

/** The clocks of one turn of the target. They stop while assay makes the target wait. */
export interface TurnClock {
  start(): void;
  stop(): void;
  /** Stops the clocks until the returned function is called, or the turn ends. Holds can overlap. */
  hold(): () => void;
  /** How long they have been stopped in this turn, in milliseconds. */
  heldMs(): number;
}

export interface TurnClockOptions {
  readonly turn: Timer;
  readonly turnMs: number | null;
  readonly silence: Timer;
  readonly silenceMs: number | null;
  /** Milliseconds. Only differences are meaningful. */
  readonly now?: () => number;
}

export function turnClock(options: TurnClockOptions): TurnClock {
  const { turn, turnMs, silence, silenceMs, now = () => performance.now() } = options;
  let number = 0;
  let isRunning = false;
  let holders = 0;
  let heldMs = 0;
  let heldSince = 0;
  let startedAt = 0;

  const stop = (): void => {
    turn.stop();
    silence.stop();
  };
  const letGo = (ofTurn: number): void => {
    // If the turn has ended in the meantime, there are no clocks to restart.
    if (ofTurn !== number || --holders > 0) return;
    heldMs += now() - heldSince;
    const usedMs = now() - startedAt - heldMs;
    turn.start(turnMs === null ? null : Math.max(0, turnMs - usedMs));
    silence.start(silenceMs);
  };

  return {
    start() {
      [number, holders, heldMs, startedAt] = [number + 1, 0, 0, now()];
      isRunning = true;
      stop();
      turn.start(turnMs);
      silence.start(silenceMs);
    },
    stop() {
      number += 1;
      isRunning = false;
      stop();
    },
    hold() {
      if (!isRunning) return () => {};
      const ofTurn = number;
      if (holders++ === 0) {
        heldSince = now();
        stop();
      }
      let isHeld = true;
      return () => {
        if (isHeld) letGo(ofTurn);
        isHeld = false;
      };
    },
    heldMs: () => (holders > 0 ? heldMs + now() - heldSince : heldMs),
  };
}

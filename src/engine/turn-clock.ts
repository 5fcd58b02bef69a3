/** A timer that can be started again; null never fires. */
export interface Timer {
  start(ms: number | null): void;
  stop(): void;
}

/** The clocks of one turn of the target, which stand still while we make it wait. */
export interface TurnClock {
  start(): void;
  stop(): void;
  /** Stops the clocks until the result is called, else for the rest of the turn, if there is one; several may hold at once. */
  hold(): () => void;
  /** How long they stood still in this turn, milliseconds. */
  heldMs(): number;
}

export interface TurnClockOptions {
  readonly turn: Timer;
  readonly turnMs: number | null;
  readonly silence: Timer;
  readonly silenceMs: number | null;
  /** Milliseconds; only differences mean something. */
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
    // A turn that is over meanwhile has no clocks to start.
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

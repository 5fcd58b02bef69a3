/**
 * The turns of checks that a thread was sent. The thread that runs checks and the one that sends them share the memory,
 * so that a check is either begun or withdrawn, and never both.
 */
export interface CheckTurns {
  /** Makes a place wait for its turn. A place can be used again when the thread has answered. */
  wait(place: number): void;
  /** False if the check was withdrawn. */
  begin(place: number): boolean;
  /** False if the check has begun. */
  withdraw(place: number): boolean;
}

export function checkTurns(memory: SharedArrayBuffer): CheckTurns {
  const states = new Int32Array(memory);
  const leavesWaiting = (place: number, state: number): boolean =>
    Atomics.compareExchange(states, place, WAITING, state) === WAITING;
  return {
    wait: (place) => void Atomics.store(states, place, WAITING),
    begin: (place) => leavesWaiting(place, BEGUN),
    withdraw: (place) => leavesWaiting(place, WITHDRAWN),
  };
}

/** Memory for so many checks. */
export function turnsMemory(places: number): SharedArrayBuffer {
  return new SharedArrayBuffer(places * Int32Array.BYTES_PER_ELEMENT);
}

const WAITING = 0;
const BEGUN = 1;
const WITHDRAWN = 2;

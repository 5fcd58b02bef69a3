/** Returns the next number in [0, 1). */
export interface SeededRandom {
  (): number;
  /** The next numbers as 32 bits each, where a call would return them divided by 2^32. */
  drawBits(bits: Int32Array): void;
}

/** A generator that returns the same numbers for the same seed (mulberry32). */
export function seededRandom(seed: number): SeededRandom {
  let state = seed | 0;
  const next = () => {
    state = (state + STEP) | 0;
    return (mixed(state) >>> 0) / 2 ** 32;
  };
  const drawBits = (bits: Int32Array) => {
    for (let i = 0; i < bits.length; i++) {
      state = (state + STEP) | 0;
      bits[i] = mixed(state);
    }
  };
  return Object.assign(next, { drawBits });
}

const STEP = 0x6d2b79f5;

function mixed(state: number): number {
  let bits = Math.imul(state ^ (state >>> 15), state | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return bits ^ (bits >>> 14);
}

/** `count` distinct indices below `length`, drawn by `random`, in ascending order. */
export function sampleIndices(length: number, count: number, random: () => number): number[] {
  const indices = Array.from({ length }, (_, index) => index);
  const drawn = Math.min(count, length);
  for (let i = 0; i < drawn; i++) {
    const other = i + Math.floor(random() * (length - i));
    [indices[i], indices[other]] = [indices[other] as number, indices[i] as number];
  }
  return indices.slice(0, drawn).sort((left, right) => left - right);
}

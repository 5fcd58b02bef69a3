/** A generator of numbers in [0, 1) that gives the same ones for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
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

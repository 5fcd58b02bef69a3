/**
 * Measures several subjects in turn, round after round, so that whatever else the machine does meets them all alike.
 * @returns for each subject what its rounds came to.
 */
export async function interleaved(rounds, subjects) {
  const names = Object.keys(subjects);
  const found = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    // Every other round the other way round: none is always the one that comes after the heavy one.
    for (const name of round % 2 === 0 ? names : names.toReversed()) found[name].push(await subjects[name]());
  }
  return found;
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** How far the middle half of the values lies apart, as a share of the median. */
export function noise(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.round(share * (sorted.length - 1))];
  return (at(0.75) - at(0.25)) / median(values);
}

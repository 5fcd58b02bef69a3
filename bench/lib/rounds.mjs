/**
 * Measures several subjects in turn, round after round, so that other load on the machine affects all of them equally.
 * @returns for each subject the results of its rounds
 */
export async function interleaved(rounds, subjects) {
  const names = Object.keys(subjects);
  const found = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    // Every second round is reversed, so that no subject always follows the heaviest one.
    for (const name of round % 2 === 0 ? names : names.toReversed()) found[name].push(await subjects[name]());
  }
  return found;
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The interquartile range as a share of the median. */
export function noise(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.round(share * (sorted.length - 1))];
  return (at(0.75) - at(0.25)) / median(values);
}

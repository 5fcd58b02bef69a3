/**
 * The level for each p, so that all verdicts together hold at alpha (Holm): the smallest p must be below alpha / m, the
 * next below alpha / (m - 1), until one is not. The others get the level that it missed. Undefined entries do not
 * count.
 */
export function holmLevels(ps: readonly (number | undefined)[], alpha: number): readonly number[] {
  const order = ps
    .flatMap((p, at) => (p === undefined ? [] : [{ p, at }]))
    .toSorted((one, other) => one.p - other.p);
  const levels = ps.map(() => alpha);
  let missed: number | undefined;
  for (const [rank, { p, at }] of order.entries()) {
    const level = missed ?? alpha / (order.length - rank);
    if (p >= level) missed = level;
    levels[at] = level;
  }
  return levels;
}

/** The chance that at least one of k repetitions, drawn from n of which c passed, is a pass; null when n < k. */
export function passAt(n: number, c: number, k: number): number | null {
  if (n < k) return null;
  return 1 - shareOfDraws(n - c, n, k);
}

/** The chance that all of k repetitions, drawn from n of which c passed, are passes (`pass^k`); null when n < k. */
export function passAll(n: number, c: number, k: number): number | null {
  if (n < k) return null;
  return shareOfDraws(c, n, k);
}

/** C(some, k) / C(all, k) without large numbers. */
function shareOfDraws(some: number, all: number, k: number): number {
  let share = 1;
  for (let i = 0; i < k; i++) share *= Math.max(0, some - i) / (all - i);
  return share;
}

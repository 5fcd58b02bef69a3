/** The chance that at least one of k repetitions, drawn from n with c passed, passes (`pass@k`). Null if n < k. */
export function passAt(n: number, c: number, k: number): number | null {
  if (n < k) return null;
  return 1 - shareOfDraws(n - c, n, k);
}

/** The chance that all of k repetitions, drawn from n with c passed, pass (`pass^k`). Null if n < k. */
export function passAll(n: number, c: number, k: number): number | null {
  if (n < k) return null;
  return shareOfDraws(c, n, k);
}

/** C(some, k) / C(all, k), computed without large numbers. */
function shareOfDraws(some: number, all: number, k: number): number {
  let share = 1;
  for (let i = 0; i < k; i++) share *= Math.max(0, some - i) / (all - i);
  return share;
}

/** A worker that may take trials of a run. */
export interface Hand {
  readonly id: string;
  /** How many trials it runs in parallel at most. */
  readonly slots: number;
  /** How many it has now, of all runs. */
  readonly busy: number;
}

/** How many of the waiting trials each worker takes, so that all are equally busy. `hands`: in an order that all know. */
export function fairShares(waiting: number, hands: readonly Hand[]): ReadonlyMap<string, number> {
  const shares = new Map(hands.map(({ id }) => [id, 0]));
  const loadOf = ({ id, slots, busy }: Hand): number => (busy + (shares.get(id) ?? 0)) / slots;
  for (let left = waiting; left > 0; left -= 1) {
    const idlest = hands.reduce<Hand | undefined>(
      (best, hand) => (loadOf(hand) < (best === undefined ? 1 : loadOf(best)) ? hand : best),
      undefined,
    );
    if (idlest === undefined) break;
    shares.set(idlest.id, (shares.get(idlest.id) ?? 0) + 1);
  }
  return shares;
}

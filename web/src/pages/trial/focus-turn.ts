/** Moves the focus to a turn of the transcript; false: it is not on the page yet. */
export function focusTurn(turn: number): boolean {
  const found = document.getElementById(`turn-${turn}`);
  found?.focus({ preventScroll: true });
  found?.scrollIntoView({ block: 'start' });
  return found !== null;
}

/** The turn that an address names; undefined: none. */
export function turnOf(hash: string): number | undefined {
  const [, turn] = /^#?turn-(\d{1,9})$/.exec(hash) ?? [];
  return turn === undefined ? undefined : Number(turn);
}

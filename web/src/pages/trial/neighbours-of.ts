export interface NeighbouringTrials {
  /** From 1; undefined: the trial is not in the list. */
  readonly place: number | undefined;
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** The numbers of the trials around one in a list. */
export function neighboursOf(
  listed: readonly { readonly number: number }[],
  number: number | undefined,
): NeighbouringTrials {
  const at = listed.findIndex((trial) => trial.number === number);
  if (at === -1) return { place: undefined, before: undefined, after: undefined };
  return { place: at + 1, before: listed[at - 1]?.number, after: listed[at + 1]?.number };
}

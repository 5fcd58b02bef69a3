interface Named {
  readonly id: string;
  readonly name: string;
}

/** A list of which only the beginning may be loaded. */
interface Loaded<Item> {
  readonly items: readonly Item[];
  readonly isWhole: boolean;
}

/**
 * The cases that the filters of an earlier run select now, and that were not in it. Empty where one of the lists is too
 * long to be loaded whole.
 */
export function addedCases(
  earlier: Loaded<string> | undefined,
  now: Loaded<Named> | undefined,
): readonly Named[] {
  if (earlier?.isWhole !== true || now?.isWhole !== true) return [];
  const had = new Set(earlier.items);
  return now.items.filter(({ id }) => !had.has(id));
}

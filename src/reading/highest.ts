/** Keeps the items with the highest values. For equal values, the first ones. */
export function highest<Item>(most: number) {
  const kept: { readonly item: Item; readonly value: number }[] = [];
  return {
    add(item: Item, value: number): void {
      const last = kept.at(-1);
      if (kept.length === most && last !== undefined && value <= last.value) return;
      const place = kept.findIndex((each) => each.value < value);
      kept.splice(place < 0 ? kept.length : place, 0, { item, value });
      if (kept.length > most) kept.pop();
    },
    /** Sorted, the highest first. */
    list: (): readonly Item[] => kept.map(({ item }) => item),
  };
}

/** A queue of items from another source, in order, until it is closed. */
export interface EntryQueue<Item> {
  readonly items: AsyncGenerator<Item, void>;
  push(items: readonly Item[]): void;
  readonly close: () => void;
}

export function entryQueue<Item>(): EntryQueue<Item> {
  const ready: Item[] = [];
  let isClosed = false;
  let wake = (): void => {};

  async function* items(): AsyncGenerator<Item, void> {
    for (;;) {
      yield* ready.splice(0);
      if (ready.length > 0) continue;
      if (isClosed) return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  return {
    items: items(),
    push(added) {
      for (const item of added) ready.push(item);
      wake();
    },
    close: () => {
      isClosed = true;
      wake();
    },
  };
}

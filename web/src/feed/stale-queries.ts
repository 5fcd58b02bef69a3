import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';

import { isShort, shorten } from '../long-lists.ts';

const PAUSE_MS = 1000;

/** Asks again for what is stale, at most once a second, and never while the same is asked for already. */
export interface StaleQueries {
  add(keys: readonly QueryKey[]): void;
  /** Everything is stale, as after a feed that broke: of long lists the first pages stay, and are asked for again. */
  addAll(): void;
  end(): void;
}

export function staleQueries(queries: QueryClient): StaleQueries {
  const stale = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastAt = -Infinity;
  const later = () => {
    timer ??= setTimeout(refresh, Math.max(0, lastAt + PAUSE_MS - performance.now()));
  };
  const refresh = () => {
    timer = undefined;
    lastAt = performance.now();
    for (const [hash, queryKey] of stale) {
      // An answer that is on its way may have been made before the change.
      if (queries.isFetching({ queryKey }) > 0) continue;
      stale.delete(hash);
      void queries.invalidateQueries({ queryKey, predicate: isShort });
    }
    if (stale.size > 0) later();
  };
  const add = (keys: readonly QueryKey[]) => {
    for (const key of keys) stale.set(hashKey(key), key);
    if (keys.length > 0) later();
  };
  return {
    add,
    addAll: () => {
      shorten(queries);
      add([[]]);
    },
    end: () => clearTimeout(timer),
  };
}

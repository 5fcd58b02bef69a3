import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';

/** Long lists are not asked for again as a whole. */
const MOST_PAGES = 3;

const PAUSE_MS = 1000;

/** Asks again for what is stale, at most once a second, and never while the same is asked for already. */
export interface StaleQueries {
  add(keys: readonly QueryKey[]): void;
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
      void queries.invalidateQueries({
        queryKey,
        predicate: ({ state }) => pagesOf(state.data) <= MOST_PAGES,
      });
    }
    if (stale.size > 0) later();
  };
  return {
    add: (keys) => {
      for (const key of keys) stale.set(hashKey(key), key);
      if (keys.length > 0) later();
    },
    end: () => clearTimeout(timer),
  };
}

function pagesOf(data: unknown): number {
  const { pages } = (data ?? {}) as { readonly pages?: readonly unknown[] };
  return pages?.length ?? 0;
}

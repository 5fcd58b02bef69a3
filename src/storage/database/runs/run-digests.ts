import type { Queries } from '../database.ts';

/** The digests of a run, in the order of their numbers. */
export interface RunDigests {
  /** A list with the digest of this number, unless the run has none. -1: no digest is needed. */
  upTo(queries: Queries, number: number): Promise<readonly string[]>;
}

/**
 * Reads the list of a run once, and again when it has grown. To find one digest, PostgreSQL would read the whole list: 7 MB
 * in a run of 100,000 cases.
 */
export function runDigests(run: string): RunDigests {
  let known: readonly string[] = [];
  return {
    async upTo({ query }, number) {
      if (number < known.length) return known;
      const [kept] = await query<{ digests: readonly string[] }>('select digests from run where id = $1', [
        run,
      ]);
      known = kept?.digests ?? [];
      return known;
    },
  };
}

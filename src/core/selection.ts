/** What of the authored cases a run takes. Filters of different kinds all have to hold; empty ones hold. */
export interface Selection {
  /** Names; they replace every `execution.target`. */
  readonly targets: readonly string[];
  /** Ids or globs (`*`, `?`). */
  readonly cases: readonly string[];
  readonly tags: readonly string[];
  readonly excludeTags: readonly string[];
  /** At most so many cases, the first ones. */
  readonly limit?: number;
  /** So many cases, drawn by the run's seed. */
  readonly sample?: number;
  /** `1/4`: the first of four parts. */
  readonly shard?: { readonly index: number; readonly of: number };
}

/** The run that later runs of a target and a line are compared with. */
export interface Baseline {
  readonly id: string;
  readonly target: string;
  readonly line: string;
  readonly runId: string;
  /** E-mail of the account; null: unknown. */
  readonly setBy: string | null;
  /** ISO 8601 with microseconds. */
  readonly setAt: string;
  /** Null while it holds. */
  readonly clearedAt: string | null;
}

/** A baseline that is about to be set. */
export interface NewBaseline extends Pick<Baseline, 'target' | 'line' | 'runId'> {
  readonly accountId?: string | undefined;
}

/** At most one baseline of a target and a line holds; former ones are kept. */
export interface BaselineStore {
  /** Those that hold, by target and line. */
  holding(filter: BaselineFilter): Promise<readonly Baseline[]>;
  /** Sets a baseline and clears the former one of its target and line. */
  set(baseline: NewBaseline): Promise<BaselineSet>;
  /** Clears a baseline; undefined: there is no such baseline. A cleared baseline is not changed. */
  clear(id: string): Promise<Baseline | undefined>;
}

export type BaselineSet =
  | { readonly outcome: 'set'; readonly baseline: Baseline }
  | { readonly outcome: 'unknown-run' }
  | { readonly outcome: 'not-completed'; readonly state: string }
  /** `targets`: those of the run. */
  | { readonly outcome: 'unknown-target'; readonly targets: readonly string[] };

export type BaselineFilter = Readonly<Partial<Record<'target' | 'line' | 'runId', string | undefined>>>;

/** What a store says of each agent and each set. */
export interface KeptHead {
  /** A UUID in lower case. */
  readonly id: string;
  /** ISO 8601 with microseconds. */
  readonly createdAt: string;
  /** The same; later with every write, also of a part. */
  readonly updatedAt: string;
  /** Unique; that of an agent never changes, because in runs it is the name of the target. */
  readonly name: string;
  readonly description: string | null;
  /** The newest version, from 1. A set has a new one with every change of its members, their order or repetitions. */
  readonly version: number;
  /** Null: it is in use. */
  readonly archivedAt: string | null;
}

/** What became of a write: the thing as it is now. Where it is stale, nothing was changed. */
export type KeptWrite<Name extends string, Kept> =
  | (Readonly<Record<Name, Kept>> & { readonly outcome: 'written' | 'stale' })
  | { readonly outcome: 'unknown' };

import type { PruneChoice, Pruned } from './pruning.ts';

/** A migration, and when it was applied. */
export interface MigrationState {
  readonly number: number;
  readonly name: string;
  /** ISO 8601. Absent if it is not applied yet. */
  readonly appliedAt?: string;
}

/** What rebuilding did. */
export interface Rebuilt {
  /** Number of rebuilt runs. */
  readonly runs: number;
  /** Ids of the runs that were being written, oldest first. */
  readonly skipped: readonly string[];
}

/** Looks after a database that has its schema: itself, or through the server that owns it. */
export interface StoreUpkeep {
  /** Address of the database for people, without a password. */
  readonly place: string;
  migrations(): Promise<readonly MigrationState[]>;
  /** Recomputes trials, grades and totals of all runs from their logs, except of runs that are being written. */
  rebuild(): Promise<Rebuilt>;
  /** Removes archived runs whole. */
  prune(choice: PruneChoice): Promise<Pruned>;
}

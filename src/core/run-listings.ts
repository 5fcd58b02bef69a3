import type { KeptWrite } from './kept-head.ts';
import type { JsonValue } from '../lib/json.ts';
import type { ManifestHead, OpenArtifact } from './run-store.ts';
import type { RunState } from './run.ts';

/** How a store lists a run: what people have written about it, and who started it. */
export interface RunListing {
  readonly id: string;
  readonly origin: 'server' | 'cli' | 'upload';
  readonly name: string | null;
  readonly note: string | null;
  /** The group of runs to compare with each other. Null: as its suites say. */
  readonly line: string | null;
  readonly tags: readonly string[];
  /** ISO 8601 with microseconds. */
  readonly archivedAt: string | null;
  /** Id of the account. */
  readonly createdBy: string | null;
}

/** What people may change of a run. Absent: as before. */
export interface ListingChange extends Partial<Pick<RunListing, 'name' | 'note' | 'line' | 'tags'>> {
  readonly isArchived?: boolean;
}

/** Which runs a list has. Absent keys leave nothing out. */
export interface RunFilter {
  readonly state?: readonly RunState[] | undefined;
  readonly kind?: 'run' | 'grade' | undefined;
  readonly sourceRunId?: string | undefined;
  /** One of these targets. */
  readonly target?: readonly string[] | undefined;
  readonly line?: string | undefined;
  /** One of these tags. */
  readonly tag?: readonly string[] | undefined;
  /** Id or name of the set of cases that was selected. */
  readonly set?: string | undefined;
  /** ISO 8601. Runs that started then or later, and before `until`. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Part of the id or the name, or of the name of a suite or target. */
  readonly search?: string | undefined;
  readonly isArchived?: boolean | undefined;
}

export interface RunRange {
  readonly limit: number;
  /** Behind the run of this id. */
  readonly after?: string | undefined;
  readonly order: 'newest-first' | 'oldest-first';
}

/** A run as lists contain it. */
export interface KeptListing {
  readonly listing: RunListing;
  readonly state: RunState;
  /** As `StoredRun.version`. */
  readonly version: string;
  /** Of all cases with their graders; null: the run did not store it. */
  readonly caseDigest: string | null;
  /** Throws `run-newer`. */
  head(): ManifestHead;
}

/** The state and the version of a run. */
export type RunVersion = Pick<KeptListing, 'state' | 'version'> & { readonly id: string };

export interface RunListings {
  /** Whether the store has a set of test cases with this id or name. */
  hasSet(idOrName: string): Promise<boolean>;
  page(filter: RunFilter, range: RunRange): Promise<readonly KeptListing[]>;
  /** Of those that exist. */
  named(ids: readonly string[]): Promise<readonly KeptListing[]>;
  /** Of the newest runs, and of others that are named, newest first. */
  versions(newest: number, named: readonly string[]): Promise<readonly RunVersion[]>;
  /** Ids of the runs that have not ended and that are not archived, oldest first. */
  unfinished(): Promise<readonly string[]>;
  /** What was counted for these runs, by id. */
  counted(ids: readonly string[]): Promise<ReadonlyMap<string, CountedFor>>;
  /** A text of any run, by its sha-256. */
  attachment(sha256: string): Promise<OpenArtifact | undefined>;
  keepCounted(id: string, counted: CountedFor): Promise<void>;
  of(id: string): Promise<RunListing | undefined>;
  /** Changes a listing, unless its version differs from the expected one. Absent: any version. */
  change(id: string, change: ListingChange, isExpected?: (now: RunListing) => boolean): Promise<ListingWrite>;
}

/** A document that was made for a version of a run. */
export interface CountedFor {
  readonly version: string;
  readonly body: JsonValue;
}

export type ListingWrite = KeptWrite<'listing', RunListing>;

import type { RunListing } from '../../core/run-listings.ts';
import type { ManifestHead } from '../../core/run-store.ts';
import type { RunState } from '../../core/run.ts';

export type RunSummary = ReadableRun | UnreadableRun;

export interface ReadableRun {
  readonly id: string;
  readonly head: ManifestHead;
  readonly state: RunState;
  /** As `StoredRun.version`. */
  readonly version: string;
  /** Of all cases with their graders, if the run has stored it. */
  readonly caseDigest?: string;
  /** Only a store has it. */
  readonly listing?: RunListing;
}

export interface UnreadableRun {
  readonly id: string;
  readonly error: { readonly code: string; readonly message: string; readonly hint?: string };
}

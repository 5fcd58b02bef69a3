import type { AgentStore } from './agent-store.ts';
import type { CaseSetStore } from './case-set-store.ts';
import type { AccountStore } from './account-store.ts';
import type { BaselineStore } from './baseline-store.ts';
import type { CaseHistory } from './case-history.ts';
import type { CaseStore } from './case-store.ts';
import type { IdempotencyKeys } from './idempotency-keys.ts';
import type { MetricStore } from './metric-store.ts';
import type { RunCancels } from './run-cancels.ts';
import type { RunListings } from './run-listings.ts';
import type { ReviewStore } from './review-store.ts';
import type { RunStore } from './run-store.ts';
import type { UploadStore } from './run-upload.ts';
import type { SessionStore } from './session-store.ts';
import type { StoreUpkeep } from './store-upkeep.ts';
import type { TokenStore } from './token-store.ts';
import type { TrialQueue } from './trial-queue.ts';

/** What a server keeps: one database, opened with the schema of this program. */
export interface Store {
  /** The address of the database for people, without a password. */
  readonly place: string;
  readonly cases: CaseStore;
  readonly history: CaseHistory;
  readonly sets: CaseSetStore;
  readonly agents: AgentStore;
  readonly runs: RunStore;
  /** What people have written about its runs. */
  readonly listings: RunListings;
  /** Cancels runs that other processes execute. */
  readonly cancels: RunCancels;
  /** Absent: no other process can reach the store. */
  readonly queue?: TrialQueue;
  readonly uploads: UploadStore;
  readonly reviews: ReviewStore;
  readonly baselines: BaselineStore;
  readonly metrics: MetricStore;
  readonly accounts: AccountStore;
  readonly tokens: TokenStore;
  readonly sessions: SessionStore;
  readonly idempotency: IdempotencyKeys;
  readonly upkeep: StoreUpkeep;
  /** Throws `database-unreachable` if the database does not answer. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

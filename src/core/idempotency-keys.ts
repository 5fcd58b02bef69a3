import type { JsonValue } from '../lib/json.ts';

/** Stores the answers to requests with an `Idempotency-Key`, by account and key. */
export interface IdempotencyKeys {
  /** Atomically adds the entry, unless an unexpired one exists. Returns the existing one. */
  begin(entry: KeyEntry): Promise<KeptAnswer | undefined>;
  /** Stores the answer and the time of the entry's end. */
  finish(entry: KeyEntry, answer: KeyedAnswer): Promise<void>;
  /** Removes the entry of a request without an effect. One that began a run stays. */
  drop(entry: KeyEntry): Promise<void>;
}

/** A request with a key. */
export interface KeyEntry {
  readonly accountId: string;
  readonly key: string;
  /** Method and path. */
  readonly route: string;
  /** sha-256 of the query and the body. */
  readonly requestDigest: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What is stored for a key. */
export interface KeptAnswer extends Pick<KeyEntry, 'route' | 'requestDigest'> {
  /** Absent while the request is running. */
  readonly answer?: KeyedAnswer;
  /** Id of the run that the request began. Absent: it began none, or its answer is stored. */
  readonly run?: string;
}

/** The answer to a request with a key. */
export interface KeyedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonValue;
}

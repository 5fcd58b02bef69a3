import { digestOf } from '../../lib/digest.ts';
import type { JsonValue } from '../../lib/json.ts';

/** Stores the answers to requests with an `Idempotency-Key`, by account and key. */
export interface IdempotencyKeys {
  /** Atomically adds the entry, unless an unexpired one exists. Returns the existing one. */
  begin(entry: KeyEntry): Promise<KeptAnswer | undefined>;
  /** Stores the answer and the time of the entry's end. */
  finish(entry: KeyEntry, answer: Answer): Promise<void>;
  /** Removes the entry, because the request had no effect. */
  drop(entry: KeyEntry): Promise<void>;
}

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

export interface KeptAnswer extends Pick<KeyEntry, 'route' | 'requestDigest'> {
  /** Absent while the request is running. */
  readonly answer?: Answer;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonValue;
}

/** A request that must not be done twice. */
export interface KeyedRequest extends Pick<KeyEntry, 'accountId' | 'key' | 'route'> {
  /** The query and the body. */
  readonly asked: JsonValue;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The result of a keyed request. */
export type Repeatable =
  | { readonly kind: 'answered' | 'replayed'; readonly answer: Answer }
  /** The key was used for another request: 422. */
  | { readonly kind: 'other-request' }
  /** The first request with this key is still running: 409. */
  | { readonly kind: 'under-way' };

/** How long an answer is stored, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** How long a request may run, in milliseconds. After it, one whose process died can be sent again. */
const RUNNING_MS = 10 * 60 * 1000;

/**
 * Executes a request once, even if it is sent repeatedly within a day. Errors, and answers with a status of 500 or above, are
 * not stored, so the request can be sent again.
 */
export async function onceOnly(
  request: KeyedRequest,
  keys: IdempotencyKeys,
  work: () => Promise<Answer>,
): Promise<Repeatable> {
  const { asked, now, ...named } = request;
  const entry = { ...named, requestDigest: digestOf(asked), expiresAt: now + RUNNING_MS };
  const kept = await keys.begin(entry);
  if (kept !== undefined) return repeated(kept, entry);
  let answer: Answer;
  try {
    answer = await work();
  } catch (error) {
    await keys.drop(entry).catch(() => undefined);
    throw error;
  }
  await (answer.status >= 500
    ? keys.drop(entry)
    : keys.finish({ ...entry, expiresAt: now + KEPT_MS }, answer));
  return { kind: 'answered', answer };
}

function repeated(kept: KeptAnswer, { route, requestDigest }: KeyEntry): Repeatable {
  if (kept.route !== route || kept.requestDigest !== requestDigest) return { kind: 'other-request' };
  return kept.answer === undefined ? { kind: 'under-way' } : { kind: 'replayed', answer: kept.answer };
}

import { digestOf } from '../../lib/digest.ts';
import type { JsonValue } from '../../lib/json.ts';

/** Where the answers to requests with an `Idempotency-Key` are kept, for one account and key each. */
export interface IdempotencyKeys {
  /** Puts the entry there unless one is there that has not expired, in one step; gives back the one that was there. */
  begin(entry: KeyEntry): Promise<KeptAnswer | undefined>;
  /** Keeps the answer. */
  finish(entry: KeyEntry, answer: Answer): Promise<void>;
  /** Removes the entry: the request came to nothing that would have to be repeated. */
  drop(entry: KeyEntry): Promise<void>;
}

export interface KeyEntry {
  readonly accountId: string;
  readonly key: string;
  /** Method and path. */
  readonly route: string;
  /** sha-256 of what was asked. */
  readonly requestDigest: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface KeptAnswer extends Pick<KeyEntry, 'route' | 'requestDigest'> {
  /** Absent: the request is still under way. */
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

/** What came of it. */
export type Repeatable =
  | { readonly kind: 'answered' | 'replayed'; readonly answer: Answer }
  /** The key was used for another request: 422. */
  | { readonly kind: 'other-request' }
  /** The first request with this key is under way: 409. */
  | { readonly kind: 'under-way' };

/** How long an answer is kept. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Does a request once, however often it is sent within a day. What `work` throws, or answers with a status of 500 and above, is
 * not kept, so that it can be sent again.
 */
export async function onceOnly(
  request: KeyedRequest,
  keys: IdempotencyKeys,
  work: () => Promise<Answer>,
): Promise<Repeatable> {
  const { asked, now, ...named } = request;
  const entry = { ...named, requestDigest: digestOf(asked), expiresAt: now + KEPT_MS };
  const kept = await keys.begin(entry);
  if (kept !== undefined) return repeated(kept, entry);
  let answer: Answer;
  try {
    answer = await work();
  } catch (error) {
    await keys.drop(entry);
    throw error;
  }
  await (answer.status >= 500 ? keys.drop(entry) : keys.finish(entry, answer));
  return { kind: 'answered', answer };
}

function repeated(kept: KeptAnswer, { route, requestDigest }: KeyEntry): Repeatable {
  if (kept.route !== route || kept.requestDigest !== requestDigest) return { kind: 'other-request' };
  return kept.answer === undefined ? { kind: 'under-way' } : { kind: 'replayed', answer: kept.answer };
}

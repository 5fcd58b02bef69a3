import type { IdempotencyKeys, KeptAnswer, KeyedAnswer, KeyEntry } from '../../core/idempotency-keys.ts';
import { digestOf } from '../../lib/digest.ts';
import type { JsonValue } from '../../lib/json.ts';

/** A request that must not be done twice. */
export interface KeyedRequest extends Pick<KeyEntry, 'accountId' | 'key' | 'route'> {
  /** The query and the body. */
  readonly asked: JsonValue;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The result of a keyed request. */
export type Repeatable =
  | { readonly kind: 'answered' | 'replayed'; readonly answer: KeyedAnswer }
  /** The first request began this run, and its answer was not stored. */
  | { readonly kind: 'begun'; readonly run: string }
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
 * not stored, so the request can be sent again. Once it began a run, that run is the answer.
 */
export async function onceOnly(
  request: KeyedRequest,
  keys: IdempotencyKeys,
  work: (entry: KeyEntry) => Promise<KeyedAnswer>,
): Promise<Repeatable> {
  const { asked, now, ...named } = request;
  const entry = { ...named, requestDigest: digestOf(asked), expiresAt: now + RUNNING_MS };
  const kept = await keys.begin(entry);
  if (kept !== undefined) return repeated(kept, entry);
  let answer: KeyedAnswer;
  try {
    answer = await work(entry);
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
  if (kept.answer !== undefined) return { kind: 'replayed', answer: kept.answer };
  return kept.run === undefined ? { kind: 'under-way' } : { kind: 'begun', run: kept.run };
}

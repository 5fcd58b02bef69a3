import { createHash } from 'node:crypto';

import type { Route } from '../api/route.ts';
import type { Actor } from '../app/access/authenticate.ts';
import { onceOnly } from '../app/access/idempotency.ts';
import type { IdempotencyKeys, KeyedAnswer, KeyEntry } from '../core/idempotency-keys.ts';
import type { JsonValue } from '../lib/json.ts';
import type { UploadedBody } from './body.ts';
import { Refusal } from './refusal.ts';

/** A request that may be sent again. */
export interface RepeatableRequest {
  readonly route: Route;
  readonly request: Request;
  readonly actor: Actor;
  readonly query: object;
  readonly body: unknown;
  readonly upload: UploadedBody;
}

/** Keeps answers by `Idempotency-Key`. */
export interface KeptAnswers {
  readonly keys: IdempotencyKeys;
  /** Milliseconds since 1970. */
  now(): number;
}

/** The work of a request that may be sent again. */
export interface RepeatableWork {
  /** `entry`: of its key. */
  answer(upload: UploadedBody, entry?: KeyEntry): Promise<KeyedAnswer>;
  /** The answer to a request that began this run before. */
  answerOf(run: string): Promise<KeyedAnswer>;
}

/** Does the work, or gives the answer of the first request with the same key. */
export async function answerOnce(
  asked: RepeatableRequest,
  { keys, now }: KeptAnswers,
  work: RepeatableWork,
): Promise<KeyedAnswer> {
  const key = keyOf(asked);
  if (key === undefined) return await work.answer(asked.upload);
  const { upload, sha256 } = await held(asked.upload);
  const { method, url } = asked.request;
  const named = {
    accountId: asked.actor.accountId,
    key,
    route: `${method} ${new URL(url).pathname}`,
    asked: { query: asked.query, body: asked.body ?? null, upload: sha256 } as unknown as JsonValue,
    now: now(),
  };
  const done = await onceOnly(named, keys, (entry) => work.answer(upload, entry));
  switch (done.kind) {
    case 'answered':
      return done.answer;
    case 'replayed':
      return replayed(done.answer);
    case 'begun':
      return replayed(await work.answerOf(done.run));
    case 'other-request':
      throw refused(422, {
        code: 'idempotency-mismatch',
        message: 'the Idempotency-Key was used for another request',
        hint: 'use a new Idempotency-Key for each request',
      });
    case 'under-way':
      throw refused(409, {
        code: 'idempotency-running',
        message: 'the first request with this Idempotency-Key is still running',
        hint: 'send this request again later; the answer of the first one is returned',
      });
    default:
      return done satisfies never;
  }
}

function replayed(answer: KeyedAnswer): KeyedAnswer {
  return { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } };
}

const LONGEST_KEY = 255;

/** The key of a request to a route that takes one. */
function keyOf({ route, request }: Pick<RepeatableRequest, 'route' | 'request'>): string | undefined {
  if (route.idempotent !== true) return undefined;
  const key = request.headers.get('idempotency-key') ?? undefined;
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Refusal(400, {
    code: 'invalid-parameter',
    message: `Idempotency-Key: expected 1 to ${LONGEST_KEY} ASCII characters without spaces`,
    param: 'Idempotency-Key',
    hint: 'use a new UUID for each request',
  });
}

/** The digest needs the whole body before the work begins. */
async function held({
  type,
  content,
}: UploadedBody): Promise<{ readonly upload: UploadedBody; readonly sha256: string }> {
  const chunks: Uint8Array[] = [];
  const hash = createHash('sha256');
  for await (const chunk of content) {
    chunks.push(chunk);
    hash.update(chunk);
  }
  const again = (async function* () {
    yield* chunks;
  })();
  return { upload: { type, content: again }, sha256: hash.digest('hex') };
}

interface Refused {
  readonly code: 'idempotency-mismatch' | 'idempotency-running';
  readonly message: string;
  readonly hint: string;
}

function refused(status: 409 | 422, what: Refused): Refusal {
  return new Refusal(status, { ...what, param: 'Idempotency-Key' });
}

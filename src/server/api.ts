import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';

import type { Route, Tagged } from '../api/route.ts';
import { table, type Operation } from '../api/table.ts';
import type { KeyedAnswer } from '../core/idempotency-keys.ts';
import { USUAL_SERVER_LIMITS, type ServerLimits } from '../core/server-limits.ts';
import type { JsonValue } from '../lib/json.ts';
import type { Actor } from '../app/access/authenticate.ts';
import { sessionIn } from '../app/access/session-cookie.ts';
import type { Admission } from './admission.ts';
import { readBody } from './body.ts';
import { expectedVersion, taggedHeaders } from './etag.ts';
import { isOfRun } from './failure.ts';
import { endWhenRefused } from './feed-end.ts';
import { answerOnce, type KeptAnswers } from './once.ts';
import type { Call, Handlers, ViewOperation } from './operation.ts';
import { readQuery } from './query.ts';
import { sentStream } from './sent-stream.ts';
import { unanswered } from './unanswered.ts';

/** What a server answers. */
export type ServedApi = {
  readonly admission: Admission;
  /** Absent: the usual ones. */
  readonly limits?: Pick<ServerLimits, 'maxBodyBytes' | 'maxImportBytes'>;
  /** Called with errors of the server itself. */
  onFault(fault: unknown): void;
} & (
  | { readonly mode: 'view'; readonly handlers: Pick<Handlers, ViewOperation> }
  | { readonly mode: 'serve'; readonly handlers: Handlers; readonly answers: KeptAnswers }
);

/** The API below `/api/v1`: checks requests against the table and passes them to their handlers. */
export function apiOf(served: ServedApi): Hono<Served> {
  const api = new Hono<Served>();
  for (const operation of operations()) {
    const route: Route = table[operation];
    const handler = (served.handlers as Partial<Handlers>)[operation] as Handler | undefined;
    if (handler === undefined) continue;
    api.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (context) =>
      answer(context, { route, handler, served }),
    );
  }
  api.all('*', ({ req }) => {
    throw unanswered(req.method, new URL(req.url).pathname, served.mode);
  });
  return api;
}

/** Fixed names come before parameters: `tags` in `/test-cases/tags` is not an id. */
function operations(): readonly Operation[] {
  const weight = (operation: Operation) => table[operation].path.replaceAll(/\{\w+\}/g, '~');
  return (Object.keys(table) as Operation[]).toSorted((a, b) => (weight(a) < weight(b) ? -1 : 1));
}

interface Served {
  Bindings: HttpBindings;
}

type Handler = (call: Call<never>) => Promise<unknown>;

interface Answering {
  readonly route: Route;
  readonly handler: Handler;
  readonly served: ServedApi;
}

async function answer(context: Context<Served>, { route, handler, served }: Answering): Promise<Response> {
  const request = context.req.raw;
  const { admission } = served;
  const client = clientOf(context);
  const actor = await admission.admit(client, route);
  const query = readQuery(route.query, new URL(request.url).searchParams);
  const expected = expectedVersion(route, request);
  const { body, upload } = await readBody(route, request, served.limits ?? USUAL_SERVER_LIMITS);
  const closed = new AbortController();
  const call = {
    path: context.req.param(),
    query,
    body,
    upload,
    actor,
    address: client.address,
    expected,
    request,
    signal: AbortSignal.any([request.signal, closed.signal]),
  };
  const handle = (more: object) => handler({ ...call, ...more } as unknown as Call<never>);
  if (route.idempotent === true && served.mode === 'serve') {
    const asked = { route, request, actor, query, body, upload };
    const { getRun } = served.handlers;
    const kept = await answerOnce(asked, served.answers, {
      answer: async (held, entry) => {
        const keyed = entry && { entry, answerOf: (answered: object) => jsonAnswer(route, answered) };
        return keptAnswer(route, (await handle({ upload: held, keyed })) as object);
      },
      async answerOf(run) {
        const { body: now } = jsonAnswer(table.getRun, await getRun({ ...call, path: { run } } as never));
        return { status: route.status, headers: { Location: `/api/v1/runs/${run}` }, body: now };
      },
    });
    return sent(kept);
  }
  const answered = await handle({});
  if (!(answered instanceof Response)) return sent(jsonAnswer(route, answered as object));
  const onEnd = isFeed(answered) ? await enterFeed(answered, { admission, actor, closed }) : ignore;
  const onBreak = (error: unknown) => {
    if (!isOfRun(error)) served.onFault(error);
  };
  return await sentStream(answered, { context, closed, onBreak, onEnd });
}

function isFeed({ headers }: Response): boolean {
  return headers.get('content-type') === 'text/event-stream';
}

const ignore = (): void => {};

interface Entering {
  readonly admission: Admission;
  readonly actor: Actor;
  readonly closed: AbortController;
}

/** Returns the clean-up for the end of the feed. */
async function enterFeed(feed: Response, { admission, actor, closed }: Entering): Promise<() => void> {
  try {
    const leave = admission.openFeed(actor);
    const stop = endWhenRefused(() => admission.mayStay(actor), closed);
    return () => {
      stop();
      leave();
    };
  } catch (error) {
    closed.abort();
    await feed.body?.cancel().catch(() => undefined);
    throw error;
  }
}

function clientOf({ req, env }: Context<Served>) {
  return {
    authorization: req.header('authorization'),
    session: sessionIn(req.header('cookie')),
    csrf: req.header('x-assay-csrf'),
    address: env.incoming.socket.remoteAddress ?? '',
  };
}

function jsonAnswer({ tagged, status }: Route, answered: object): KeyedAnswer {
  if (tagged !== true) return { status, headers: {}, body: answered as JsonValue };
  const { answer: body, ...about } = answered as Tagged<JsonValue>;
  return { status, headers: taggedHeaders(about), body };
}

/** A handler may answer with another status than its route, such as one that only plans. */
async function keptAnswer(route: Route, answered: object): Promise<KeyedAnswer> {
  if (!(answered instanceof Response)) return jsonAnswer(route, answered);
  const location = answered.headers.get('location');
  const headers = location === null ? {} : { Location: location };
  return { status: answered.status, headers, body: (await answered.json()) as JsonValue };
}

function sent({ status, headers, body }: KeyedAnswer): Response {
  return Response.json(body, { status, headers });
}

import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';

import type { Route } from '../api/route.ts';
import { table, type Operation } from '../api/table.ts';
import { cutWhereBroken } from './cut-where-broken.ts';
import { isOfRun } from './failure.ts';
import { Refusal } from './refusal.ts';
import { readQuery } from './query.ts';
import type { Call, Handlers } from './operation.ts';

/** The API below `/api/v1`: checks requests against the table and passes them to their handlers. */
export function apiOf(handlers: Handlers, onFault: (fault: unknown) => void): Hono<Served> {
  const api = new Hono<Served>();
  for (const operation of Object.keys(table) as Operation[]) {
    const route: Route = table[operation];
    api.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (context) =>
      answer(context, { route, handler: handlers[operation] as Handler, onFault }),
    );
  }
  api.all('*', (context) => {
    throw unanswered(context);
  });
  return api;
}

interface Served {
  Bindings: HttpBindings;
}

type Handler = (call: Call<never>) => Promise<unknown>;

interface Answering {
  readonly route: Route;
  readonly handler: Handler;
  onFault(fault: unknown): void;
}

async function answer(context: Context<Served>, { route, handler, onFault }: Answering): Promise<Response> {
  const query = readQuery(route.query, new URL(context.req.url).searchParams);
  const left = new AbortController();
  const call = {
    path: context.req.param(),
    query,
    request: context.req.raw,
    signal: AbortSignal.any([context.req.raw.signal, left.signal]),
  };
  const answered = await handler(call as unknown as Call<never>);
  if (!(answered instanceof Response)) return context.json(answered as object, route.status);
  const onBreak = (error: unknown) => {
    if (!isOfRun(error)) onFault(error);
  };
  if (context.req.method === 'HEAD') {
    // Without this, the body of the matching GET would stay open unread.
    left.abort();
    await answered.body?.cancel().catch(onBreak);
    return new Response(null, answered);
  }
  return cutWhereBroken(answered, { over: context.env.outgoing, onBreak });
}

/** Resources that need a store, which run directories do not provide. */
const STORE_ONLY = [
  'test-cases',
  'case-sets',
  'agents',
  'metrics',
  'baselines',
  'reviews',
  'session',
  'accounts',
  'tokens',
  'workers',
];

/** `/runs/{id}/calibration` and `/runs/{id}/trials/{trial}/reviews`: they come from reviews. */
const OF_REVIEWS = /^\/api\/v1\/runs\/[^/]+\/(calibration|trials\/[^/]+\/reviews)$/;

function unanswered({ req }: Context): Refusal {
  const { pathname } = new URL(req.url);
  const [, , , first = ''] = pathname.split('/');
  if (STORE_ONLY.includes(first) || OF_REVIEWS.test(pathname)) {
    return new Refusal(404, {
      code: 'no-store',
      message: `${pathname} needs a store, but this server only shows run directories`,
      hint: 'use `assay cases` and `assay db` on the command line',
    });
  }
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    return new Refusal(405, {
      code: 'read-only',
      message: `${req.method} is not allowed: this server only shows runs`,
      hint: 'use the command line to start, resume or grade runs',
    });
  }
  return new Refusal(404, { code: 'unknown-route', message: `unknown route ${pathname}` });
}

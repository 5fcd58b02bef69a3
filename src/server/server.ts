import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

import { AssayError, messageOf } from '../core/errors.ts';
import { apiOf, type ServedApi } from './api.ts';
import { assets } from './assets.ts';
import { answerBroken } from './broken-request.ts';
import { failureResponse } from './failure.ts';
import { notOfApi } from './unanswered.ts';
import { guard, protectedHeaders, type GuardOptions } from './guard.ts';
import { openRequests } from './open-requests.ts';

/** Where a server listens, and what it shows besides its API. */
export interface ServerPlace {
  /** Absolute path of the built dashboard. */
  readonly dashboard: string;
  /** Absent: 127.0.0.1. */
  readonly host?: string;
  /** 0: any free port. */
  readonly port: number;
  /** The `Host` names that are answered; default: those of loopback. */
  readonly hosts?: GuardOptions['hosts'];
}

/** A server that runs until it is disposed: then requests under way have 10 seconds to be answered. */
export interface RunningServer extends AsyncDisposable {
  readonly url: string;
}

/** One whose runs end before it does. */
export interface ListeningServer extends RunningServer {
  /** Takes no further connections, and refuses requests on open ones: `server-stopping`. */
  stop(): void;
}

/** Serves the API and the dashboard. Throws `port-in-use`. */
export async function startServer(
  api: ServedApi,
  { dashboard, host = '127.0.0.1', port: asked, hosts = 'loopback' }: ServerPlace,
): Promise<ListeningServer> {
  let port = 0;
  const app = new Hono();
  const requests = openRequests();
  app.use('*', protectedHeaders);
  app.use('*', requests.counted);
  app.use('*', guard({ port: () => port, hosts }));
  app.route('/api/v1', apiOf(api));
  app.all('/api/*', ({ req }) => {
    throw notOfApi(new URL(req.url).pathname);
  });
  app.get('*', assets(dashboard));
  app.all('*', ({ req }) => {
    throw notOfApi(new URL(req.url).pathname);
  });
  app.onError((error, { req }) => failureResponse(error, { onFault: api.onFault, asked: req.raw.headers }));
  const server = createServer(TIME_LIMITS, getRequestListener(app.fetch));
  answerBroken(server);
  await listening(server, { host, port: asked });
  ({ port } = server.address() as AddressInfo);
  let end: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    requests.stop();
    return (end ??= new Promise((resolve) => server.close(() => resolve())));
  };
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    stop: () => void stop(),
    async [Symbol.asyncDispose]() {
      const closed = stop();
      await requests.settled(GRACE_MS);
      server.closeAllConnections();
      await closed;
    },
  };
}

const GRACE_MS = 10_000;

/** An upload may take hours; `readBody` ends one that stands still. */
const TIME_LIMITS = { requestTimeout: 0, headersTimeout: 60_000 } as const;

function listening(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      const message = taken ? `port ${port} is in use` : `cannot listen on port ${port}: ${messageOf(error)}`;
      const hint = 'choose another --port, or 0 for any free port';
      reject(new AssayError('port-in-use', message, { stage: 'plan', hint, cause: error }));
    });
    server.listen(port, host, resolve);
  });
}

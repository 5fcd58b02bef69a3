import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

import { openApi } from '../api/openapi.ts';
import type { Settings } from '../api/resources/settings.ts';
import { schemaText } from '../app/schema-text.ts';
import type { RunSummaries } from '../app/view/run-summaries.ts';
import { AssayError, messageOf } from '../core/errors.ts';
import { apiOf } from './api.ts';
import { artifactHandlers } from './artifacts.ts';
import { assets } from './assets.ts';
import { comparisonHandlers } from './comparisons.ts';
import { eventHandlers } from './events.ts';
import { exportHandlers } from './exports.ts';
import { failureResponse } from './failure.ts';
import { feedHandlers } from './feed.ts';
import { guard, protectedHeaders } from './guard.ts';
import type { Handlers } from './operation.ts';
import { figureHandlers } from './run-figures.ts';
import { runHandlers } from './runs.ts';
import { trendHandlers } from './trends.ts';
import { trialLists } from './trial-lists.ts';
import { trialHandlers } from './trials.ts';

export interface ViewOptions {
  readonly runs: RunSummaries;
  readonly settings: Settings;
  /** Absolute path of the built dashboard. */
  readonly dashboard: string;
  /** 0: any free port. */
  readonly port: number;
  /** Called with errors of the server itself. Answers do not contain them. */
  onFault(fault: unknown): void;
}

/** A server on loopback that runs until it is disposed. */
export interface ViewServer extends AsyncDisposable {
  readonly url: string;
}

/** Serves the dashboard over runs, read-only. Throws `port-in-use`. */
export async function startView(options: ViewOptions): Promise<ViewServer> {
  let port = 0;
  const app = new Hono();
  app.use('*', protectedHeaders);
  app.use(
    '*',
    guard(() => port),
  );
  app.route('/api/v1', apiOf(handlersOf(options), options.onFault));
  app.get('*', assets(options.dashboard));
  app.onError((error) => failureResponse(error, options.onFault));
  const server = createServer(getRequestListener(app.fetch));
  await listening(server, options.port);
  ({ port } = server.address() as AddressInfo);
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function handlersOf({ runs, settings }: ViewOptions): Handlers {
  const lists = trialLists();
  return {
    ...runHandlers(runs),
    ...figureHandlers(runs),
    ...trialHandlers(runs, lists),
    ...artifactHandlers(runs, lists),
    ...exportHandlers(runs),
    ...eventHandlers(runs),
    ...feedHandlers(runs),
    ...trendHandlers(runs),
    ...comparisonHandlers(runs, lists),
    getSettings: async () => settings,
    getOpenApi: async () => openApi(settings.version),
    getTestCaseSchema: async () => JSON.parse(await schemaText('case')) as object,
    getHealth: async () => ({ status: 'ok' }),
    getReadiness: async () => ({ status: 'ok' }),
  };
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      const message = taken ? `port ${port} is in use` : `cannot listen on port ${port}: ${messageOf(error)}`;
      const hint = 'choose another --port, or 0 for any free port';
      reject(new AssayError('port-in-use', message, { stage: 'plan', hint, cause: error }));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}

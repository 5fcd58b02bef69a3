import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeEach, expect } from 'vitest';

import { type Conductor, openConductor } from '../../src/app/conductor.ts';
import { USUAL_SERVER_LIMITS, type ServerLimits } from '../../src/core/server-limits.ts';
import type { Store } from '../../src/core/store.ts';
import { TALLY_FOLD } from '../../src/reading/row-fold.ts';
import { startServe } from '../../src/server/serve.ts';
import type { RunningServer } from '../../src/server/server.ts';
import type { Database } from '../../src/storage/database/database.ts';
import { databaseStore } from '../../src/storage/database/store.ts';
import { agentsUnder, type ServedConfig } from './agents-of-store.ts';
import type { AnsweredBody } from './answered.ts';
import { onBothDatabases } from './databases.ts';

/** An answer of the API. */
export interface Answered<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface Asked {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ServedStore {
  url(): string;
  /** The project. */
  readonly folder: string;
  store(): Store;
  database(): Database;
  /** Sends a request with a JSON body, and reads the JSON answer. */
  ask<M extends string, P extends string>(
    method: M,
    path: P,
    asked?: Asked,
  ): Promise<Answered<AnsweredBody<M, P>>>;
}

/** The same tests of a server over both databases; each begins without rows. */
export function onServedStores(
  name: string,
  block: (served: ServedStore) => void,
  how: ServedHow | 'token' = {},
): void {
  const asked = how === 'token' ? { auth: how } : how;
  onBothDatabases(name, (database) => block(served(database, asked)));
}

export interface ServedHow {
  /** Absent: none. */
  readonly auth?: 'none' | 'token';
  /** What its agents are checked against. */
  readonly agents?: ServedConfig;
  /** Of its runs; absent: empty. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Absent: the usual ones. */
  readonly limits?: Partial<ServerLimits>;
  /** The clock of the server; absent: that of the machine. */
  readonly now?: () => number;
}

function served(
  database: () => Database,
  { auth = 'none', agents, limits, environment = {}, now = Date.now }: ServedHow,
): ServedStore {
  const folder = mkdtempSync(join(tmpdir(), 'assay-serve-'));
  const faults: unknown[] = [];
  let server: RunningServer;
  let conductor: Conductor;
  let store: Store;
  beforeEach(async () => {
    store = databaseStore(database(), { folder, fold: TALLY_FOLD, now });
    const onFault = (fault: unknown) => void faults.push(fault);
    const surroundings = { cwd: folder, environment, auth, now, commandLine: ['serve'] };
    conductor = openConductor({ store, surroundings, onFault });
    server = await startServe({
      store,
      agents: await agentsUnder(store.agents, folder, agents),
      conductor,
      limits: { ...USUAL_SERVER_LIMITS, ...limits },
      settings: {
        mode: 'serve',
        version: '1.2.3',
        project: 'shop',
        auth,
        database: database().place,
        targets: [],
        has_user: false,
        has_judge: false,
        repetitions: 1,
      },
      metrics: [{ id: 'of_config', kind: 'binary', rubric: 'Of the config.', defaultWeight: 2 }],
      place: { dashboard: folder, port: 0 },
      configChanged: async () => false,
      now,
      onFault,
    });
  });
  afterEach(async () => {
    await conductor[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    expect(faults.splice(0)).toEqual([]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    url: () => server.url,
    folder,
    store: () => store,
    database,
    async ask<M extends string, P extends string>(method: M, path: P, { body, headers = {} }: Asked = {}) {
      const answer = await fetch(`${server.url}/api/v1${path}`, {
        method,
        headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return {
        status: answer.status,
        headers: answer.headers,
        body: (await answer.json()) as AnsweredBody<M, P>,
      };
    },
  };
}

import type { Browser } from 'playwright-core';

import { serverDatabase } from '../../../src/storage/database/server-database.ts';
import {
  addAdmin,
  ADMIN_TOKEN,
  prepareMigrated,
  prepareWithAdmin,
  sharedDatabase,
  type SharedDatabase,
} from '../../support/databases.ts';
import type { Running } from '../../e2e/support/cli.ts';
import { openProject, type Files } from '../../e2e/support/project.ts';
import { until } from '../../e2e/support/until.ts';
import type { AnsweredBody } from '../../support/answered.ts';
import { openBrowser } from './browser.ts';

/** Where the store of a server is. */
export const STORES = ['embedded', 'postgres'] as const;

export interface ServeSetup {
  readonly store: (typeof STORES)[number];
  readonly auth: 'none' | 'token';
  /** Of the project. */
  readonly files?: Files;
  /** More of `assay serve`. */
  readonly flags?: readonly string[];
}

/** A browser and the built `assay serve` over an empty store. */
export interface OpenServe extends AsyncDisposable {
  readonly browser: Browser;
  readonly url: string;
  /** Of an admin; empty without authentication. */
  readonly token: string;
  /** The place of a file of the project. */
  path(name: string): string;
  /** Starts the program in the project. */
  start(...args: readonly string[]): Running;
  /** Runs the program in the project, and gives what it printed. */
  assay(...args: readonly string[]): Promise<string>;
  /** Begins a session with a token, or with that of the admin, and gives its cookie. */
  cookie(token?: string): Promise<string>;
  /** Sends JSON as the admin, and gives the answer; throws where it is no success. */
  ask<M extends string, P extends string>(method: M, path: P, body?: unknown): Promise<AnsweredBody<M, P>>;
  /** Stops the server, and starts it again at the same address after the work. */
  whileGone(work: () => Promise<void>): Promise<void>;
}

export async function openServe({ store, auth, files = {}, flags = [] }: ServeSetup): Promise<OpenServe> {
  const project = openProject(files);
  const postgres = store === 'postgres' ? await sharedDatabase('migrated') : undefined;
  const env: Record<string, string> = postgres === undefined ? {} : { DATABASE_URL: postgres.url };
  await fill({ data: project.path('.assay/data'), postgres, auth });
  const token = auth === 'none' ? '' : ADMIN_TOKEN;
  const start = async (port: string) => {
    const begun = project.start(['serve', '--port', port, '--auth', auth, ...flags], env);
    const isOver = begun.ended.then(({ stderr }) => {
      throw new Error(`assay serve ended: ${stderr}`);
    });
    await Promise.race([until('its address', () => begun.printed().includes('Ctrl-C'), 60_000), isOver]);
    isOver.catch(() => undefined);
    return begun;
  };
  let program = await start('0');
  const stop = async () => {
    program.kill('SIGTERM');
    await program.ended.catch(() => undefined);
  };
  const [url = ''] = /http:\S+/.exec(program.printed()) ?? [];
  const browser = await openBrowser();
  return {
    browser,
    url,
    token,
    path: (name) => project.path(name),
    start: (...args) => project.start(args, env),
    assay: async (...args) => (await project.start(args, env).ended).stdout,
    cookie: (own = token) => cookieOf(url, own),
    ask: async <M extends string, P extends string>(method: M, path: P, body?: unknown) =>
      (await sent(`${url}/api/v1${path}`, { method, token, body })) as AnsweredBody<M, P>,
    async whileGone(work) {
      await stop();
      await work();
      program = await start(new URL(url).port);
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await stop();
      await postgres?.end();
      await project[Symbol.asyncDispose]();
    },
  };
}

interface Filling extends Pick<ServeSetup, 'auth'> {
  /** Folder of the embedded database. */
  readonly data: string;
  readonly postgres: SharedDatabase | undefined;
}

/** The schema, and the admin where there are tokens: the tests of the program see to its commands for both. */
async function fill({ data, postgres, auth }: Filling): Promise<void> {
  if (postgres === undefined) return await (auth === 'none' ? prepareMigrated : prepareWithAdmin)(data);
  if (auth === 'none') return;
  const database = await serverDatabase(postgres.url);
  await addAdmin(database).finally(() => database.close());
}

async function cookieOf(url: string, token: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ token });
  const answer = await fetch(`${url}/api/v1/session`, { method: 'POST', headers, body });
  return /assay_session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? '';
}

interface SentRequest {
  readonly method: string;
  readonly token: string;
  readonly body: unknown;
}

async function sent(address: string, { method, token, body }: SentRequest): Promise<unknown> {
  const answer = await fetch(address, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'If-Match': '*',
      ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

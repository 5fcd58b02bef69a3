import type { Browser } from 'playwright-core';

import { prepare } from '../../support/databases.ts';
import { startPostgres, type PostgresServer } from '../../support/postgres-server.ts';
import type { Running } from '../../e2e/support/cli.ts';
import { openProject, type Files } from '../../e2e/support/project.ts';
import { until } from '../../e2e/support/until.ts';
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
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it
  ask(method: string, path: string, body?: unknown): Promise<any>;
  /** Stops the server, and starts it again at the same address after the work. */
  whileGone(work: () => Promise<void>): Promise<void>;
}

export async function openServe({ store, auth, files = {}, flags = [] }: ServeSetup): Promise<OpenServe> {
  const project = openProject(files);
  const postgres = store === 'postgres' ? await startPostgres() : undefined;
  if (postgres === undefined) await prepare(project.path('.assay/data'));
  const env = databaseOf(postgres);
  const assay = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await project.start(args, env).ended;
    if (code !== 0) throw new Error(`assay ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout.trim();
  };
  const token = auth === 'none' ? '' : await firstToken(assay);
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
    ask: (method, path, body) => sent(`${url}/api/v1${path}`, { method, token, body }),
    async whileGone(work) {
      await stop();
      await work();
      program = await start(new URL(url).port);
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await stop();
      await postgres?.stop();
      await project[Symbol.asyncDispose]();
    },
  };
}

function databaseOf(postgres: PostgresServer | undefined): Record<string, string> {
  return postgres === undefined ? {} : { DATABASE_URL: postgres.url('postgres') };
}

async function firstToken(assay: (...args: readonly string[]) => Promise<string>): Promise<string> {
  await assay('db', 'migrate');
  await assay('accounts', 'add', 'ann@example.com', '--role', 'admin');
  return await assay('tokens', 'create', 'ann@example.com', '--name', 'laptop');
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

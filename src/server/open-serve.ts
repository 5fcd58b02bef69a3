import { openStore } from '../app/database.ts';
import { openConfig } from '../app/project/open-config.ts';
import { handsOf } from '../app/running/choose-hands.ts';
import { noWorkers } from '../app/running/no-workers.ts';
import { writeServerFile } from '../app/server-file.ts';
import type { Surroundings } from '../app/surroundings.ts';
import { AssayError } from '../core/errors.ts';
import { AuthoringError } from '../core/problem.ts';
import type { Store } from '../core/store.ts';
import type { ServeRequest } from './serve-project.ts';
import type { RunningServer } from './server.ts';

/** Opens the store of a project and serves it. Throws `auth-required`, `port-in-use` and what opening a store throws. */
export async function openServe(request: ServeRequest, surroundings: Surroundings): Promise<RunningServer> {
  if (!isLoopback(request.host) && request.auth === 'none') throw openToOthers(request.host);
  const { loaded, problems } = await openConfig({
    file: request.config,
    start: surroundings.cwd,
    surroundings,
  });
  if (loaded === undefined) throw new AuthoringError(problems);
  // At the same time, the database opens in its own thread.
  const [store, { serveProject }] = await Promise.all([
    openStore(surroundings, { schema: request.schema, folder: loaded.directory }),
    import('./serve-project.ts'),
  ]);
  try {
    if (!handsOf(surroundings).areHere && store.queue === undefined) throw noWorkers();
    await refuseLocked(store, request, surroundings.now());
    const server = await serveProject({ loaded, store }, request, surroundings);
    const removeFile = writeServerFile(loaded.directory, localUrl(server.url));
    return {
      url: server.url,
      async [Symbol.asyncDispose]() {
        removeFile();
        await server[Symbol.asyncDispose]();
        await store.close();
      },
    };
  } catch (error) {
    await store.close().catch(() => undefined);
    throw error;
  }
}

/** Whether only this machine reaches an address. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** A server with tokens needs somebody who can sign in and let others in. */
async function refuseLocked({ accounts }: Store, { auth }: ServeRequest, now: number): Promise<void> {
  if (auth === 'none' || (await accounts.hasAdminToken(now))) return;
  throw authRequired('nobody could sign in: no active admin has a token', FIRST_ADMIN);
}

const FIRST_ADMIN =
  'first run `assay accounts add EMAIL --role admin` and `assay tokens create EMAIL --name NAME`';

function openToOthers(host: string): AssayError {
  const message = `other machines can reach ${host}, but the server requires no sign-in`;
  return authRequired(message, `${FIRST_ADMIN}, then use --auth token`);
}

function authRequired(message: string, hint: string): AssayError {
  return new AssayError('auth-required', message, { stage: 'plan', hint });
}

/** Commands on this machine reach a server of all addresses by that of loopback. */
function localUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import type { Settings } from '../api/resources/settings.ts';
import { agentRoom, type AgentRoom } from '../app/agent-room.ts';
import { openConductor } from '../app/conductor.ts';
import { anyJudge } from '../app/binding/choose-judge.ts';
import { namesUser } from '../app/binding/choose-user.ts';
import type { Surroundings } from '../app/surroundings.ts';
import { assayVersion } from '../app/version.ts';
import { USUAL_SERVER_LIMITS } from '../core/server-limits.ts';
import type { Store } from '../core/store.ts';
import { sha256 } from '../lib/digest.ts';
import { given } from '../lib/given.ts';
import { builtDashboard } from './built-dashboard.ts';
import { startServe, type ServeOptions } from './serve.ts';
import type { RunningServer } from './server.ts';

export interface ServeRequest extends Pick<ServeOptions, 'onFault'> {
  readonly host: string;
  readonly port: number;
  readonly auth: Settings['auth'];
  /** Path of the config; absent: searched upward. */
  readonly config?: string;
  /** as-it-is: a database without the schema of this program is refused. */
  readonly schema: 'migrate' | 'as-it-is';
  /** Whether interrupted runs are continued. */
  readonly resumes: boolean;
}

/** A project with its opened store. */
export interface ServedProject {
  readonly loaded: AgentRoom['loaded'];
  readonly store: Store;
}

/** Serves a project, and executes its runs. Throws `port-in-use`. */
export async function serveProject(
  { loaded, store }: ServedProject,
  request: ServeRequest,
  surroundings: Surroundings,
): Promise<RunningServer> {
  const { host, port, auth, config, onFault } = request;
  const { now } = surroundings;
  const around = { ...surroundings, auth };
  const conductor = openConductor({ store, surroundings: around, loaded, onFault, ...given({ config }) });
  const server = await startServe({
    store,
    agents: await agentRoom(store.agents, loaded, { auth }),
    conductor,
    limits: { ...USUAL_SERVER_LIMITS, ...given(loaded.config.server?.limits ?? {}) },
    metrics: loaded.config.metrics ?? [],
    settings: {
      mode: 'serve',
      version: assayVersion(),
      project: basename(loaded.directory),
      auth,
      database: store.place,
      targets: [...loaded.written.keys()],
      has_user: namesUser(loaded),
      has_judge: anyJudge(loaded, undefined),
      repetitions: loaded.config.run?.repeat ?? 1,
    },
    place: { dashboard: builtDashboard(), host, port },
    configChanged: changeOf(loaded.file),
    now,
    onFault,
  });
  conductor.keepTakingUp(request.resumes ? 'interrupted' : 'queued');
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      server.stop();
      // A request under way may still wait for its run.
      await conductor[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Whether a config file has changed since now. */
async function digestOf(file: string): Promise<string | undefined> {
  return await readFile(file).then(
    (bytes) => sha256(bytes),
    () => undefined,
  );
}

function changeOf(file: string | undefined): () => Promise<boolean> {
  if (file === undefined) return async () => false;
  const before = digestOf(file);
  return async () => (await before) !== (await digestOf(file));
}

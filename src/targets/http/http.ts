import { resolve } from 'node:path';

import type { TargetPlugin, TargetServices } from '../../core/plugin.ts';
import { given } from '../../lib/given.ts';
import { removeTree } from '../../lib/files/remove-tree.ts';
import { temporaryFolder } from '../../lib/files/temporary-folder.ts';
import { openPools, placeOf, type Pools } from '../../lib/http/send.ts';
import { namedProgram, rootedCommand } from '../program-path.ts';
import { rootedFiles } from '../named-files.ts';
import { isSandboxed } from '../sandboxed.ts';
import type { AgentServer, ServerSpec } from './agent-server.ts';
import { httpConfig, PORT, type HttpConfig, type ServerConfig } from './config.ts';
import type { Endpoint } from './exchange.ts';
import { missedByServer, type MissedByServer } from './missed-by-server.ts';
import { post } from './post.ts';
import { openConversation } from './session.ts';

/** An agent behind the documented HTTP contract, with a pool of open connections. */
export const httpTarget: TargetPlugin<HttpConfig> = {
  type: 'http',
  version: 1,
  summary: 'an HTTP service that answers the requests described in the guide',
  config: httpConfig,
  stored: {
    all: ['url', 'headers', 'history', 'connectTimeoutMs', 'maxBodyBytes', 'images'],
    urls: ['url'],
  },
  prompt: 'services',
  takesImages: ({ images }) => images,
  programsLive: ({ server }) => (server === undefined ? undefined : 'run'),
  programs: ({ server }) => namedProgram(server?.command, ['server', 'command']),
  create(config, services) {
    const { protocol } = new URL(config.url.replaceAll(PORT, '80'));
    const pools = openPools(protocol, { guard: services.addresses });
    let endpoint = config.url.includes(PORT) ? undefined : endpointOf(config, config.url, pools);
    let server: AgentServer | undefined;
    /** Where a server in a sandbox starts. */
    let folder: string | undefined;
    const byServer = missedByServer();
    const line = {
      config,
      during: byServer.during,
      directory: services.directory,
      ...given({ prompt: services.prompt }),
      async post(call: Parameters<typeof post>[1], signal: AbortSignal): Promise<Buffer> {
        if (endpoint === undefined) throw new Error('a target with {PORT} was asked before it was prepared');
        const death = server?.death();
        if (death !== undefined) throw death;
        try {
          return await post(endpoint, call, signal);
        } catch (error) {
          throw signal.aborted ? error : (server?.death() ?? error);
        }
      },
    };
    return {
      async prepare(signal) {
        const { server: own } = config;
        if (own === undefined) return;
        const { onFreePort, startServer } = await import('./agent-server.ts');
        if (isSandboxed(services)) folder = await temporaryFolder('h');
        const start = async (port?: number): Promise<void> => {
          const url = config.url.replaceAll(PORT, String(port));
          server = await startServer(
            serverSpec(own, new URL(url), { services, folder, missed: byServer.missed }),
            signal,
          );
          endpoint = endpointOf(config, url, pools);
        };
        await (config.url.includes(PORT) ? onFreePort(start) : start());
      },
      open: async (world) => openConversation(line, world),
      async [Symbol.asyncDispose]() {
        pools.pool.destroy();
        await server?.[Symbol.asyncDispose]();
        if (folder !== undefined) await removeTree(folder);
      },
    };
  },
};

function endpointOf(config: HttpConfig, text: string, pools: Pools): Endpoint {
  const url = new URL(text);
  return {
    ...pools,
    shown: `${url.origin}${url.pathname}`,
    options: { method: 'POST', ...placeOf(url) },
    headers: headersOf(config, url),
    connectTimeoutMs: config.connectTimeoutMs,
    maxBodyBytes: config.maxBodyBytes,
  };
}

/** The author's headers override ours, in any case. */
function headersOf({ headers = {} }: HttpConfig, url: URL): readonly string[] {
  const own: Record<string, string> = {
    host: url.host,
    'content-type': 'application/json',
    accept: 'application/json',
  };
  if (url.username !== '')
    own['authorization'] = `Basic ${Buffer.from(credentialsOf(url)).toString('base64')}`;
  const named = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const kept = Object.entries(own).filter(([name]) => !named.has(name));
  return [...kept, ...Object.entries(headers)].flat();
}

function credentialsOf(url: URL): string {
  return `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
}

interface ServerPlace {
  readonly services: TargetServices;
  /** Of a server in a sandbox. */
  readonly folder: string | undefined;
  readonly missed: MissedByServer['missed'];
}

function serverSpec(server: ServerConfig, url: URL, { services, folder, missed }: ServerPlace): ServerSpec {
  const { name, directory, environment, sandbox } = services;
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const filled = (text: string): string => text.replaceAll(PORT, String(port));
  const rooted = rootedCommand(server.command, directory);
  const own = Object.entries(server.env ?? {}).map(([key, value]) => [key, filled(value)]);
  const cwd = server.cwd === undefined ? (folder ?? directory) : resolve(directory, server.cwd);
  const words = typeof rooted === 'string' ? [] : rooted.map(filled);
  return {
    name,
    command:
      typeof rooted === 'string'
        ? { shell: filled(rooted) }
        : folder === undefined
          ? words
          : rootedFiles(words, { directory, cwd }),
    cwd,
    env: { ...environment, PORT: String(port), ...Object.fromEntries(own) },
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    healthUrl: server.url === undefined ? undefined : filled(server.url),
    timeoutMs: server.timeoutMs,
    ...(folder !== undefined && sandbox !== undefined ? { sandbox, folder, missed } : {}),
  };
}

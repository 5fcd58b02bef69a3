import { rm } from 'node:fs/promises';
import { createServer, type Server as SocketServer, type Socket } from 'node:net';
import { join } from 'node:path';

import type { ToolAnswer, ToolWorld } from '../core/target.ts';
import type { ToolSpec } from '../core/tools.ts';
import { temporaryFolder } from '../lib/files/temporary-folder.ts';
import { given } from '../lib/given.ts';
import { ownProgram } from '../lib/modules/own-file.ts';

/** Tools that programs can call over MCP on stdio; the started relay passes every byte on to this process. */
export interface ServedTools extends AsyncDisposable {
  readonly mcp: NonNullable<ToolWorld['mcp']>;
}

/** Listens on a private socket. Each connection speaks MCP, and all connections share the same tools. */
export async function serveTools(world: Pick<ToolWorld, 'tools' | 'call'>): Promise<ServedTools> {
  const folder = await temporaryFolder('w');
  const path = join(folder, 's');
  const stop = new AbortController();
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    // Ignores errors of a connection whose program was killed.
    socket.on('error', () => socket.destroy());
    speakMcp(socket, world, stop.signal).catch(() => socket.destroy());
  });
  try {
    await listening(server, path);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    mcp: { command: [...ownProgram('world/stdio-relay'), path], environment: {} },
    async [Symbol.asyncDispose]() {
      stop.abort(new Error('the session is over'));
      for (const socket of connections) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function listening(server: SocketServer, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
}

/** The name must not reveal a test, because agents put it before the names of the tools. */
const SERVER = { name: 'tools', version: '1.0.0' };

async function speakMcp(
  socket: Socket,
  { tools, call }: Pick<ToolWorld, 'tools' | 'call'>,
  stopped: AbortSignal,
): Promise<void> {
  const [{ Server }, { serveStdio, StdioServerTransport }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const create = () => {
    const server = new Server(SERVER, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: tools.map(listed) }));
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const signal = AbortSignal.any([mcpReq.signal, stopped]);
      const asked = { name: params.name, input: (params.arguments ?? {}) as ToolCallInput };
      // A call that cannot be answered ends the session, which closes this connection.
      const answer = await call(asked, signal).catch(() => undefined);
      return answer === undefined ? await new Promise<never>(() => {}) : resultOf(answer);
    });
    return server;
  };
  serveStdio(create, { transport: new StdioServerTransport(socket, socket) });
}

type ToolCallInput = Parameters<ToolWorld['call']>[0]['input'];

function listed({ name, description, parameters }: ToolSpec) {
  return {
    name,
    ...given({ description }),
    inputSchema: { ...parameters, type: 'object' as const },
  };
}

function resultOf({ output, failed }: ToolAnswer) {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  return { content: [{ type: 'text' as const, text }], ...(failed === true ? { isError: true } : {}) };
}

import { createServer, type Server, type Socket } from 'node:net';

import { relayTo } from './relay.ts';

/** A port of this machine that leads to a program in a sandbox. */
export interface OfferedPort extends AsyncDisposable {
  /** Called when the program listens: before that, nobody can connect. */
  open(): void;
}

/** What is offered where. */
export interface Offer {
  readonly port: number;
  /** The socket that leads to the program. */
  readonly path: string;
  /** Called when another program has the port. */
  readonly taken: () => void;
}

export function offeredPort({ port, path, taken }: Offer): OfferedPort {
  const open = new Set<Socket>();
  const servers: Server[] = [];
  const listen = (host: string, failed: () => void): void => {
    const server = createServer({ allowHalfOpen: true }, relayTo({ path }, open)).on('error', failed);
    servers.push(server);
    server.listen({ host, port });
  };
  return {
    open() {
      listen('127.0.0.1', taken);
      // Not every machine has it.
      listen('::1', () => {});
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await Promise.all(
        servers.map((server) => new Promise<void>((resolve) => void server.close(() => resolve()))),
      );
    },
  };
}

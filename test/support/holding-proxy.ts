import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between a process and a server on loopback, which can be cut without ending a connection. */
export interface HoldingProxy extends AsyncDisposable {
  readonly port: number;
  /** Keeps what both sides send from now on. */
  hold(): void;
  /** The same as soon as a text has been sent to the server. Resolves then. */
  holdAfter(text: string): Promise<void>;
  /** Sends what it kept, and everything after that. */
  release(): void;
}

/** `port`: of the server. */
export async function holdingProxy(port: number): Promise<HoldingProxy> {
  const sockets = new Set<Socket>();
  let isHeld = false;
  let awaited: { readonly text: string; readonly come: () => void } | undefined;
  const hold = () => {
    isHeld = true;
    for (const socket of sockets) socket.pause();
  };
  const follow = (from: Socket, to: Socket, onData: (chunk: Buffer) => void = () => undefined) => {
    sockets.add(from);
    if (isHeld) from.pause();
    from.on('data', (chunk) => {
      to.write(chunk);
      onData(chunk);
    });
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    // Its end is all that the other side learns.
    from.on('error', () => undefined);
  };
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    follow(upstream, client);
    follow(client, upstream, (chunk) => {
      if (awaited === undefined || !chunk.includes(awaited.text)) return;
      hold();
      awaited.come();
      awaited = undefined;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    hold,
    holdAfter: (text) =>
      new Promise((resolve) => {
        awaited = { text, come: resolve };
      }),
    release() {
      isHeld = false;
      for (const socket of sockets) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

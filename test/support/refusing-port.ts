import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

/** A port on loopback that refuses connections, and that nobody else gets meanwhile: the near end of a connection. */
export async function refusingPort(): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer((peer) => void peer.resume());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const port = socket.localPort ?? 0;
  return {
    port,
    async [Symbol.asyncDispose]() {
      socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { onTestFinished } from 'vitest';

/** A server on loopback until the test is over; it counts connections, also those that ask nothing. */
export async function countingServer(
  listener: RequestListener = (_, response) => void response.end('reached'),
): Promise<{ readonly port: number; readonly connections: () => number }> {
  let connections = 0;
  const server = createServer(listener).on('connection', () => void (connections += 1));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

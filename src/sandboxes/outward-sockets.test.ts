import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import type { MissedConnection } from '../core/missed-connections.ts';
import { openOutwardSockets } from './outward-sockets.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

const folder = () => folderOfTest('outward-');

test('a host that is reached is not missed if the client goes before its answer', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const missed: MissedConnection[] = [];
  const sockets = folder();
  const opened = await openOutwardSockets(sockets, {
    places: [{ host: 'localhost', port }],
    missed: (connection) => missed.push(connection),
  });
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const asking = request({
    socketPath: join(sockets, String(opened.proxyPort)),
    path: `http://localhost:${port}/`,
    agent: false,
  });
  asking.on('error', () => undefined).end();
  const [reached] = await once(server, 'request');
  asking.destroy();
  await once(reached.socket, 'close');
  // All that the end of the request causes has happened when another one is answered.
  const refused = request({
    socketPath: join(sockets, String(opened.proxyPort)),
    path: 'http://elsewhere.test/',
    agent: false,
  }).end();
  await once(refused, 'response');
  expect(missed).toEqual([{ host: 'elsewhere.test', why: 'refused' }]);
});

test('sockets of which one cannot be opened are all closed', async () => {
  const sockets = folder();
  mkdirSync(join(sockets, '7'));
  const opening = openOutwardSockets(sockets, {
    places: [
      { host: '127.0.0.1', port: 8 },
      { host: '127.0.0.1', port: 7 },
    ],
    missed: () => undefined,
  });
  await expect(opening).rejects.toThrow('EADDRINUSE');
  expect(existsSync(join(sockets, '7'))).toBe(true);
  expect(readdirSync(sockets)).toEqual(['7']);
});

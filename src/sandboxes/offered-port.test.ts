import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { offeredPort } from './offered-port.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

/** A listening server, and its port if it has one. */
async function listening(place: { port?: number; path?: string; host?: string }): Promise<number> {
  const server = createServer((socket) => socket.end('answer')).listen(place);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function socketPath(): string {
  const folder = folderOfTest('port-');
  return join(folder, 's');
}

test('a port of another program is told', async () => {
  const port = await listening({ port: 0, host: '127.0.0.1' });
  const told = await new Promise<boolean>((tell) => {
    const offered = offeredPort({ port, path: socketPath(), taken: () => tell(true) });
    onTestFinished(() => offered[Symbol.asyncDispose]());
    offered.open();
  });
  expect(told).toBe(true);
});

test('a port leads to its socket, from when it is opened until it is closed', async () => {
  const path = socketPath();
  await listening({ path });
  const port = await freePort();
  const offered = offeredPort({ port, path, taken: () => {} });
  expect(await answerAt(port)).toBe('ECONNREFUSED');
  offered.open();
  await expect.poll(() => answerAt(port)).toBe('answer');
  await offered[Symbol.asyncDispose]();
  expect(await answerAt(port)).toMatch(/^ECONN/);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function answerAt(port: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('end', () => resolve(text));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  });
}

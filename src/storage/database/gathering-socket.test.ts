import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';

import { expect, onTestFinished, test } from 'vitest';

import { gatheringSocket } from './gathering-socket.ts';

test('what is written at once is sent together and in order', async () => {
  const received: Promise<string>[] = [];
  const server = createServer((socket) => void received.push(text(socket))).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const socket = gatheringSocket();
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  for (const piece of ['a', 'b', 'c']) socket.write(piece);
  await Promise.resolve();
  socket.write('d');
  const gathered = [socket.writableCorked, socket.writableLength];
  await new Promise((resolve) => process.nextTick(resolve));
  expect([gathered, socket.writableCorked]).toEqual([[1, 4], 0]);
  socket.write('e');
  socket.end('f');
  await once(socket, 'close');
  expect(await Promise.all(received)).toEqual(['abcdef']);
});

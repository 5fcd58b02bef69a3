// Runs in a network of its own. Its first line on stdout is its process id. Orders are lines of JSON on stdin: `serve`
// connects ports of the loopback address with sockets of this machine, `clear` takes everything back.
import { createServer, type ListenOptions, type NetConnectOpts, type Server, type Socket } from 'node:net';
import process, { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';

import type { ForwarderOrder, ForwarderReply, PortAndSocket } from './forwarder.ts';
import { canConnect } from '../lib/process/can-connect.ts';
import { relayTo } from './relay.ts';

const HOSTS = ['127.0.0.1', '::1'];
const POLL_MS = 20;

const servers = new Set<Server>();
const open = new Set<Socket>();
/** Counts the programs that were served, so that waiting for a port ends with its program. */
let served = 0;

reply({ pid: process.pid });
for await (const line of createInterface({ input: stdin })) await obey(JSON.parse(line) as ForwarderOrder);
process.exit();

async function obey({ serve }: ForwarderOrder): Promise<void> {
  await clear();
  const closed: number[] = [];
  if (serve !== undefined) {
    for (const each of serve.outward) if (!(await offer(each))) closed.push(each.port);
    for (const each of serve.inward) void reach(each, served);
  }
  reply({ done: true, closed });
}

async function clear(): Promise<void> {
  served += 1;
  for (const socket of open) socket.destroy();
  await Promise.all([...servers].map((server) => new Promise((resolve) => server.close(resolve))));
  servers.clear();
}

/** A port inside that leads to a socket of this machine; false: it cannot be opened. Not every machine has IPv6. */
async function offer({ port, path }: PortAndSocket): Promise<boolean> {
  const [isOpen = false] = await Promise.all(HOSTS.map((host) => listening({ host, port }, { path })));
  return isOpen;
}

/** A socket of this machine that leads to a port inside, as soon as a program listens there. */
async function reach({ port, path }: PortAndSocket, program: number): Promise<void> {
  while (program === served) {
    for (const host of HOSTS) {
      if (!(await canConnect({ host, port }))) continue;
      if (program === served && (await listening({ path }, { host, port }))) reply({ opened: port });
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Leads connections here to a place there. Resolves with whether it listens. */
function listening(here: ListenOptions, there: NetConnectOpts): Promise<boolean> {
  const server = createServer({ allowHalfOpen: true }, relayTo(there, open));
  servers.add(server);
  return new Promise((resolve) => {
    server.once('listening', () => resolve(true));
    server.once('error', () => {
      servers.delete(server);
      resolve(false);
    });
    server.listen(here);
  });
}

function reply(said: ForwarderReply): void {
  stdout.write(`${JSON.stringify(said)}\n`);
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { messageOf } from '../core/errors.ts';
import type { NetworkAccess, ProgramStart, ProgramNeeds } from '../core/sandbox.ts';
import { allowedPlaces } from './allowed-places.ts';
import type { Forwarder } from './forwarder.ts';
import type { Forwarders } from './forwarders.ts';
import { openOutwardSockets, type OutwardSockets } from './outward-sockets.ts';
import { notStarted } from './not-started.ts';
import { offeredPort, type OfferedPort } from './offered-port.ts';

/** What connects a program in a network of its own with this machine. */
export interface Passage {
  /** The process whose network the program joins. */
  readonly pid: number;
  /** The port inside that leads to the proxy; undefined: the program may connect to nothing. */
  readonly proxyPort: number | undefined;
  /** Closes everything. */
  close(program: 'ended' | 'unknown'): Promise<void>;
}

/** Who needs a passage, and for what. */
export interface Passing {
  readonly network: NetworkAccess;
  readonly start: ProgramStart;
  readonly needs: ProgramNeeds;
  readonly forwarders: Forwarders;
}

/** Opens the sockets in a new folder inside the given one. Undefined: the program needs no connection, or has all. */
export async function openPassage(
  parent: string,
  { network, start, needs, forwarders }: Passing,
): Promise<Passage | undefined> {
  if (!needsPassage({ network, start, needs })) return undefined;
  const places = allowedPlaces(network, start, needs);
  const serves = network === 'host' ? undefined : needs.serves;
  const folder = join(parent, 'sockets');
  mkdirSync(folder, { mode: 0o700 });
  const path = join(folder, 'in');
  const offered = serves && offeredPort({ ...serves, path });
  let outward: OutwardSockets | undefined;
  let forwarder: Forwarder | undefined;
  try {
    outward = places && (await openOutwardSockets(folder, { places, missed: needs.missed ?? (() => {}) }));
    forwarder = await forwarders.take();
    const inward = serves === undefined ? [] : [{ port: serves.port, path }];
    const asked = { outward: outward?.sockets ?? [], inward };
    const lacking = await forwarder.serve(asked, () => offered?.open());
    for (const _ of lacking) needs.missed?.({ host: '127.0.0.1', why: 'unreachable' });
  } catch (error) {
    await closed(outward, offered);
    await forwarder?.end();
    throw notStarted(messageOf(error), error);
  }
  const { pid } = forwarder;
  return {
    pid,
    proxyPort: outward?.proxyPort,
    async close(program) {
      await closed(outward, offered);
      // Processes of a program whose end was not seen may still use the network.
      const isFree = program === 'ended' && (await hasCleared(forwarder));
      await (isFree ? forwarders.giveBack(forwarder) : forwarder.end());
    },
  };
}

/** Whether a program connects with this machine through sockets. */
export function needsPassage({ network, start, needs }: Omit<Passing, 'forwarders'>): boolean {
  return (
    allowedPlaces(network, start, needs) !== undefined || (network !== 'host' && needs.serves !== undefined)
  );
}

async function closed(outward: OutwardSockets | undefined, offered: OfferedPort | undefined): Promise<void> {
  await outward?.[Symbol.asyncDispose]();
  await offered?.[Symbol.asyncDispose]();
}

async function hasCleared(forwarder: Forwarder): Promise<boolean> {
  try {
    await forwarder.clear();
    return true;
  } catch {
    return false;
  }
}

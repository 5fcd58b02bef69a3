import type { Agent, ClientRequestArgs } from 'node:http';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

import { ForbiddenAddress } from './forbidden-address.ts';
import type { AddressGuard, AskedPlace } from './address-guard.ts';

/** Connections of this agent are made only to addresses that the guard lets through; the others fail with ForbiddenAddress. */
export function guardedAgent(agent: Agent, guard: AddressGuard): Agent {
  const connect = agent.createConnection.bind(agent);
  const { isIP } = process.getBuiltinModule('node:net');
  agent.createConnection = (options, done) => {
    const asked = placeOf(options);
    const refusal = isIP(asked.host) === 0 ? undefined : guard.refusal(asked.host, asked);
    if (refusal === undefined) return connect({ ...options, lookup: guardedLookup(guard, asked) }, done);
    // Typed as if a connection came with an error.
    (done as ((error: Error) => void) | undefined)?.(new ForbiddenAddress(refusal));
    return undefined;
  };
  return agent;
}

function placeOf({ host, port, defaultPort }: ClientRequestArgs): AskedPlace {
  return { host: host ?? 'localhost', port: Number(port ?? defaultPort ?? 80) };
}

function guardedLookup(guard: AddressGuard, asked: AskedPlace): LookupFunction {
  return (name, options, done) => {
    const answer = async (): Promise<void> => {
      const found = await addressesOf(name, guard, options).catch((error: NodeJS.ErrnoException) => error);
      const refused = found instanceof Error ? found : refusedOf(found, name, { guard, asked });
      if (found instanceof Error || refused !== undefined) done(refused ?? null, '');
      else if (options.all === true) done(null, [...found]);
      else done(null, found[0]?.address ?? '', found[0]?.family);
    };
    void answer();
  };
}

/** One forbidden address of a name is enough, because its owner may choose which one is used. */
function refusedOf(
  found: readonly LookupAddress[],
  name: string,
  { guard, asked }: { readonly guard: AddressGuard; readonly asked: AskedPlace },
): NodeJS.ErrnoException | undefined {
  const [refusal] = found.flatMap(({ address }) => guard.refusal(address, asked) ?? []);
  if (refusal !== undefined) return new ForbiddenAddress(refusal);
  if (found.length > 0) return undefined;
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
}

async function addressesOf(
  name: string,
  { lookup }: AddressGuard,
  options: Parameters<LookupFunction>[1],
): Promise<readonly LookupAddress[]> {
  if (lookup === undefined) {
    return await process.getBuiltinModule('node:dns').promises.lookup(name, { ...options, all: true });
  }
  const { isIP } = process.getBuiltinModule('node:net');
  return (await lookup(name)).map((address) => ({ address, family: isIP(address) }));
}

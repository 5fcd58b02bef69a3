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

/** One forbidden address of a name is enough: whoever made it may choose which one is taken. */
function guardedLookup(guard: AddressGuard, asked: AskedPlace): LookupFunction {
  return (name, options, done) => {
    const answer = (found: readonly LookupAddress[]): void => {
      const refusals = found.flatMap(({ address }) => guard.refusal(address, asked) ?? []);
      const [first] = found;
      if (refusals[0] !== undefined) done(new ForbiddenAddress(refusals[0]), '');
      else if (first === undefined) done(notFound(name), '');
      else if (options.all === true) done(null, [...found]);
      else done(null, first.address, first.family);
    };
    addressesOf(name, guard, options).then(answer, (error: NodeJS.ErrnoException) => done(error, ''));
  };
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

function notFound(name: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
}

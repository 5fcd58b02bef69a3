import type { NetworkAccess, ProgramStart, ProgramNeeds } from '../core/sandbox.ts';
import { hostAndPort, placeOfUrl, type HostAndPort } from '../lib/http/host-and-port.ts';

/** What a program in a sandbox may connect to; undefined: everything, so it needs no sockets. */
export function allowedPlaces(
  network: NetworkAccess,
  { env }: Pick<ProgramStart, 'env'>,
  { hosts = [] }: Pick<ProgramNeeds, 'hosts'>,
): readonly HostAndPort[] | undefined {
  if (network === 'none' || network === 'host') return undefined;
  if (network !== 'provider') return network.flatMap((text) => hostAndPort(text) ?? []);
  const urls = Object.keys(env).filter((name) => name.endsWith('_BASE_URL'));
  return [
    ...hosts.flatMap((text) => hostAndPort(text) ?? []),
    ...urls.flatMap((name) => placeOfUrl(env[name] ?? '') ?? []),
  ];
}

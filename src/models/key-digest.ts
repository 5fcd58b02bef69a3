import { hostname } from 'node:os';

import { digestOf } from '../lib/digest.ts';

/** A key of a provider at an address. */
export interface KeyPlace {
  readonly provider: string;
  /** Absent: that of the provider. */
  readonly baseUrl: string | undefined;
  /** Absent: the provider needs none. */
  readonly key: string | undefined;
}

/** Names a key without telling it: equal on all machines that use the same key. A loopback address is another one on each machine. */
export function keyDigest({ provider, baseUrl, key }: KeyPlace): string {
  const machine = baseUrl !== undefined && isLoopback(baseUrl) ? hostname() : null;
  return digestOf([provider, baseUrl ?? null, machine, key ?? null]);
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
}

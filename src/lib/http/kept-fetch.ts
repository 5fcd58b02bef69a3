import type { AddressGuard } from './address-guard.ts';
import { isSentElsewhere } from './foreign-dispatcher.ts';
import { failedFetch, invalidUrl } from './fetch-errors.ts';
import { sendHop } from './hop.ts';
import { lightResponse } from './light-response.ts';
import { nextHop, type Hop } from './redirect.ts';
import { openPools, type Pools } from './send.ts';

/** How long Node's own `fetch` keeps an unused connection. */
const IDLE_CONNECTION_MS = 4_000;
const MOST_REDIRECTS = 20;

/**
 * A `fetch` over `node:http` with a pool of connections. It needs less processor time than Node's own, and has errors
 * with the same messages and codes. Unsupported requests (bodies that are streams, a proxy or dispatcher that was set)
 * go to Node's own.
 * With a guard it never uses Node's own, and follows no redirects.
 */
export function openFetch(guard?: AddressGuard): typeof fetch {
  const pools = new Map<string, Pools>();
  const poolsFor = ({ protocol }: URL): Pools => {
    const known = pools.get(protocol) ?? openPools(protocol, { idleMs: IDLE_CONNECTION_MS, guard });
    pools.set(protocol, known);
    return known;
  };
  return async (input, init) => {
    const asked = plainRequest(input, init);
    if (guard === undefined && (asked === undefined || isSentElsewhere())) return await fetch(input, init);
    if (asked === undefined)
      throw failedFetch(new Error('the address guard cannot check this form of request'));
    const { signal } = asked;
    const redirect = guard === undefined ? asked.redirect : 'manual';
    for (let hop = asked.hop, hops = 0; ; hops++) {
      const answer = await sendHop(hop, poolsFor(hop.url), signal);
      const next = redirect === 'manual' ? undefined : nextHop(hop, answer);
      if (next === undefined) return lightResponse(answer, { url: hop.url.href, redirected: hops > 0 });
      answer.drop();
      if (redirect === 'error') throw failedFetch(new Error('unexpected redirect'));
      if (hops === MOST_REDIRECTS) throw failedFetch(new Error('redirect count exceeded'));
      hop = next;
    }
  };
}

interface Asked {
  readonly hop: Hop;
  readonly signal: AbortSignal | undefined;
  readonly redirect: NonNullable<RequestInit['redirect']>;
}

const KNOWN_KEYS: ReadonlySet<string> = new Set(['method', 'headers', 'body', 'signal', 'redirect']);

/** A request without streams, forms and further options; undefined: use Node's own `fetch`. */
function plainRequest(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Asked | undefined {
  const { method = 'GET', headers = {}, signal, redirect = 'follow' } = init;
  const body = init.body ?? undefined;
  const isKnown = Object.entries(init).every(([key, value]) => value === undefined || KNOWN_KEYS.has(key));
  const isPlain = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  if (!isKnown || !isPlain || !(typeof input === 'string' || input instanceof URL)) return undefined;
  const listed = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const given = new Map(listed.map(([name = '', value = '']) => [name.toLowerCase(), String(value)]));
  const hop = { url: urlOf(input), method: method.toUpperCase(), headers: given, body };
  return { hop, signal: signal ?? undefined, redirect };
}

function urlOf(input: string | URL): URL {
  let url: URL;
  try {
    url = new URL(input);
  } catch (cause) {
    throw invalidUrl(String(input), cause);
  }
  if (url.username !== '' || url.password !== '') throw invalidUrl(url.host, undefined);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw failedFetch(new Error('unknown scheme'));
  return url;
}

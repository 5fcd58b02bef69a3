import { failedFetch } from './fetch-errors.ts';

/** One request on the way to an answer; header names are in lower case. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string | Uint8Array | undefined;
}

/** The next request of a redirect, by the rules of `fetch`; undefined for a final answer. */
export function nextHop(
  hop: Hop,
  { status, location }: { readonly status: number; readonly location: string | undefined },
): Hop | undefined {
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  const url = urlFrom(location, hop.url);
  const isOther = url.origin !== hop.url.origin;
  const isGet =
    ((status === 301 || status === 302) && hop.method === 'POST') ||
    (status === 303 && hop.method !== 'GET' && hop.method !== 'HEAD');
  const headers = [...hop.headers].filter(
    ([name]) => !(isOther && CREDENTIALS.has(name)) && !(isGet && name.startsWith('content-')),
  );
  return {
    url,
    method: isGet ? 'GET' : hop.method,
    headers: new Map(headers),
    body: isGet ? undefined : hop.body,
  };
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Headers that another origin must not get. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie', 'host']);

function urlFrom(location: string, base: URL): URL {
  const url = URL.canParse(location, base.href) ? new URL(location, base) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') {
    if (url.hash === '') url.hash = base.hash;
    return url;
  }
  throw failedFetch(new Error('the redirect has an address that is not a plain HTTP(S) URL'));
}

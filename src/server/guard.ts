import type { MiddlewareHandler } from 'hono';

import { Refusal } from './refusal.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export interface GuardOptions {
  /** The port that the server listens on. */
  port(): number;
  /** loopback: only loopback names with our port, so that another site cannot reach the server under its own name. */
  readonly hosts: 'loopback' | 'any';
}

/** Refuses requests that another site makes in a browser. */
export function guard({ port, hosts }: GuardOptions): MiddlewareHandler {
  return async ({ req }, next) => {
    const host = req.header('host') ?? '';
    if (hosts === 'loopback' && !LOOPBACK.some((name) => host === `${name}:${port()}`)) {
      throw new Refusal(403, {
        code: 'host-not-allowed',
        message: `unknown host "${host}"`,
        hint: `open http://127.0.0.1:${port()}`,
      });
    }
    const origin = req.header('origin');
    // A proxy that speaks TLS for us makes the scheme of the page another one.
    const own = hosts === 'any' ? [`http://${host}`, `https://${host}`] : [`http://${host}`];
    if (origin !== undefined && !own.includes(origin)) {
      throw new Refusal(403, { code: 'origin', message: `requests from ${origin} are not allowed` });
    }
    await next();
  };
}

/** Headers of every answer. They prevent scripts of others and framing. */
export const PROTECTING = {
  'Content-Security-Policy': "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const;

export const protectedHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  const { headers } = context.res;
  for (const [name, value] of Object.entries(PROTECTING)) headers.set(name, value);
  if (new URL(context.req.url).pathname.startsWith('/api/')) headers.set('Cache-Control', 'no-store');
};

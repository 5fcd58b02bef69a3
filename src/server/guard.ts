import type { MiddlewareHandler } from 'hono';

import { Refusal } from './refusal.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Accepts only loopback names with our port, so that another site cannot reach the server under its own name. */
export function guard(port: () => number): MiddlewareHandler {
  return async ({ req }, next) => {
    const host = req.header('host') ?? '';
    if (!LOOPBACK.some((name) => host === `${name}:${port()}`)) {
      throw new Refusal(403, {
        code: 'host-not-allowed',
        message: `unknown host "${host}"`,
        hint: `open http://127.0.0.1:${port()}`,
      });
    }
    const origin = req.header('origin');
    if (origin !== undefined && origin !== `http://${host}`) {
      throw new Refusal(403, { code: 'origin', message: `requests from ${origin} are not allowed` });
    }
    await next();
  };
}

/** Headers of every answer. They prevent scripts of others and framing. */
export const protectedHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  const { headers } = context.res;
  headers.set(
    'Content-Security-Policy',
    "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  );
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('Referrer-Policy', 'no-referrer');
  if (new URL(context.req.url).pathname.startsWith('/api/')) headers.set('Cache-Control', 'no-store');
};

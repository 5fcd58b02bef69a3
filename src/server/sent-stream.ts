import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

import { cutWhereBroken } from './cut-where-broken.ts';

interface Sending {
  readonly context: Context<{ Bindings: HttpBindings }>;
  /** Ends the producer. */
  readonly closed: AbortController;
  onBreak(error: unknown): void;
  /** Called once, however it ended. */
  onEnd(): void;
}

/** An answer that is produced while it is sent; of a HEAD request only its headers. */
export async function sentStream(
  answered: Response,
  { context, closed, onBreak, onEnd }: Sending,
): Promise<Response> {
  if (context.req.method !== 'HEAD') {
    return cutWhereBroken(answered, { over: context.env.outgoing, onBreak, onEnd });
  }
  // Without this, the body of the matching GET would stay open unread.
  closed.abort();
  onEnd();
  await answered.body?.cancel().catch(onBreak);
  return new Response(null, answered);
}

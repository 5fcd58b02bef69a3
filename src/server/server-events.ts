import { streamOf } from './stream-of.ts';

/** One message of a feed. Undefined: a comment that keeps the connection open. */
export type ServerEvent =
  | { readonly id?: number; readonly event: string; readonly data: unknown }
  | undefined;

export const POLL_MS = 250;
export const HEARTBEAT_MS = 15_000;

/** A response that streams these messages. */
export function serverEvents(messages: AsyncIterable<ServerEvent>): Response {
  return new Response(streamOf(encoded(messages)), { headers: { 'Content-Type': 'text/event-stream' } });
}

async function* encoded(messages: AsyncIterable<ServerEvent>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const message of messages) yield encoder.encode(textOf(message));
}

function textOf(message: ServerEvent): string {
  if (message === undefined) return ': nothing new\n\n';
  const { id, event, data } = message;
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

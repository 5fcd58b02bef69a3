import type { IncomingMessage } from 'node:http';

import { guardAnswer, type InvalidResponseSize } from './answer-guard.ts';
import { decodedOf } from './decoded.ts';
import { failureOfBody } from './fetch-errors.ts';

export interface BodyEvents {
  moved(): void;
  ended(): void;
  broken(cause: unknown): void;
  /** The body is too large. */
  refused(error: InvalidResponseSize): void;
  /** The reader has cancelled it. */
  dropped(): void;
}

export interface Body {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  /** Cancels the stream, unless it has ended. */
  fail(error: unknown): void;
}

const HIGH_WATER_BYTES = 64 * 1024;

/** The body of an answer as a web stream, without its content encodings; null for answers without a body. */
export function openBody(response: IncomingMessage, method: string, on: BodyEvents): Body {
  if (method === 'HEAD' || BODILESS.has(response.statusCode ?? 0)) {
    response.on('end', on.ended).on('error', on.ended).resume();
    return { stream: null, fail: () => {} };
  }
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  let isOver = false;
  const source = decodedOf(response, (cause) => on.broken(failureOfBody(cause)));
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start: (given) => void (controller = given),
      pull: () => void source.resume(),
      cancel() {
        isOver = true;
        on.dropped();
      },
    },
    { highWaterMark: HIGH_WATER_BYTES, size: ({ byteLength }) => byteLength },
  );
  const guard = guardAnswer();
  source.on('data', (chunk: Buffer<ArrayBuffer>) => {
    on.moved();
    if (isOver) return;
    const refusal = guard(chunk);
    if (refusal !== undefined) return on.refused(refusal);
    controller.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if ((controller.desiredSize ?? 0) <= 0) source.pause();
  });
  source.on('end', () => {
    on.ended();
    if (!isOver) controller.close();
    isOver = true;
  });
  return {
    stream,
    fail(error) {
      if (!isOver) controller.error(error);
      isOver = true;
    },
  };
}

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

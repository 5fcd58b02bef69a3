import type { HttpBindings } from '@hono/node-server';

interface Broken {
  /** The response that is being written. */
  readonly over: HttpBindings['outgoing'];
  /** Called with the error of the body. */
  onBreak(error: unknown): void;
  /** Called when it has ended in any way. */
  onEnd(): void;
}

/**
 * Closes the connection if the body of an answer fails, so that a part of it does not look complete. Without it the
 * HTTP server would print the error with its stack.
 */
export function cutWhereBroken(answer: Response, { over, onBreak, onEnd }: Broken): Response {
  if (answer.body === null) {
    onEnd();
    return answer;
  }
  const reader = answer.body.getReader();
  let isLeft = false;
  const next = () =>
    reader.read().catch((error: unknown) => {
      if (!isLeft) onBreak(error);
      over.destroy();
      return { done: true, value: undefined } as const;
    });
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await next();
      if (isLeft) return;
      if (done) {
        onEnd();
        controller.close();
        return;
      }
      controller.enqueue(value);
    },
    cancel: (reason) => {
      isLeft = true;
      onEnd();
      return reader.cancel(reason);
    },
  });
  return new Response(body, answer);
}

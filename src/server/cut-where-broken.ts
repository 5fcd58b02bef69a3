import type { HttpBindings } from '@hono/node-server';

interface Broken {
  /** The connection of the answer. */
  readonly over: HttpBindings['outgoing'];
  /** Called with the reason why an answer broke off. */
  onBreak(error: unknown): void;
}

/**
 * Cuts the connection of an answer if its body fails, so that clients do not take the partial body for a complete one. The
 * server would otherwise print the error with its stack.
 */
export function cutWhereBroken(answer: Response, { over, onBreak }: Broken): Response {
  if (answer.body === null) return answer;
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
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => {
      isLeft = true;
      return reader.cancel(reason);
    },
  });
  return new Response(body, answer);
}

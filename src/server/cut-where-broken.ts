import type { HttpBindings } from '@hono/node-server';

interface Broken {
  /** What is answered over. */
  readonly over: HttpBindings['outgoing'];
  /** Told why an answer broke off. */
  onBreak(error: unknown): void;
}

/**
 * An answer whose connection is cut where its body fails, so that nobody takes what has come for the whole; the server
 * that it goes through would print the error with its stack.
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

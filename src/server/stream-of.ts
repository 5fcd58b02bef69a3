/** A body that is produced while it is read. Cancelling it ends the producer, which begins at once. */
export function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const next = await iterator.next();
    if (next.done === true) controller.close();
    else controller.enqueue(next.value);
  };
  return new ReadableStream<Uint8Array>({
    // A generator that never began would not run its `finally`.
    start: pull,
    pull,
    cancel: async () => {
      await iterator.return?.();
    },
  });
}

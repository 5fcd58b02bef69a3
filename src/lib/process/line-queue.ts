/** Lines for a program's stdin, written in order. */
export interface LineQueue {
  readonly lines: AsyncIterable<string>;
  /** A text without line ends; it is dropped after `close`. */
  push(line: string): void;
  close(): void;
}

export function lineQueue(): LineQueue {
  const queued: string[] = [];
  let isClosed = false;
  let wake = (): void => {};

  async function* lines(): AsyncGenerator<string> {
    for (;;) {
      const line = queued.shift();
      if (line !== undefined) yield `${line}\n`;
      else if (isClosed) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  return {
    lines: lines(),
    push(line) {
      if (!isClosed) queued.push(line);
      wake();
    },
    close() {
      isClosed = true;
      wake();
    },
  };
}

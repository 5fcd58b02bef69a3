import { setImmediate } from 'node:timers/promises';

/** Lets a process make what it writes next while the database writes the last. */
export interface WriteBehind {
  /** Resolves when it is sent; the one before is written then. */
  write(next: () => Promise<unknown>): Promise<void>;
  /** Resolves when all is written. */
  end(): Promise<void>;
}

export function writeBehind(): WriteBehind {
  let writing: Promise<unknown> = Promise.resolve();
  return {
    async write(next) {
      await writing;
      writing = next();
      // Its failure is thrown by the next write or at the end.
      writing.catch(() => undefined);
      // What is sent leaves this process before the next part keeps it busy.
      await setImmediate();
    },
    async end() {
      await writing;
    },
  };
}

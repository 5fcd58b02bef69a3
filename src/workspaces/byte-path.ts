/** A path as its bytes, one character for each: the names that an agent gives need not be UTF-8. */
export type BytePath = string;

export function bytePath(path: string): BytePath {
  return Buffer.from(path).toString('latin1');
}

/** What the file system is asked with. */
export function onDisk(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1');
}

/** For people. */
export function shownPath(path: BytePath): string {
  return onDisk(path).toString();
}

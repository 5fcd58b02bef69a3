/** A path as its bytes, one character for each, because names from an agent need not be UTF-8. */
export type BytePath = string;

export function bytePath(path: string): BytePath {
  return Buffer.from(path).toString('latin1');
}

/** The form for the file system. */
export function onDisk(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1');
}

/** The form for people. */
export function shownPath(path: BytePath): string {
  return onDisk(path).toString();
}

/** The innermost line of a file in the stack of an error; of a module that was loaded as TypeScript only it is exact. */
export function lineInStack(error: unknown, path: string): number | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  for (const frame of stack.split('\n')) {
    const at = frame.indexOf(`${path}:`);
    const line = at === -1 ? Number.NaN : Number.parseInt(frame.slice(at + path.length + 1), 10);
    if (Number.isInteger(line)) return line;
  }
  return undefined;
}

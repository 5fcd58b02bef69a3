/** The end of a program's stderr, for messages. */
export function endOfStderr(stderr: string): string {
  const end = textEnd(stderr);
  return end === '' ? 'it printed nothing to stderr' : `the end of its stderr:\n${end}`;
}

/** With what a program ended, for messages. */
export function endingOf({ exitCode, signal }: Readonly<Record<'exitCode' | 'signal', unknown>>): string {
  return signal === null ? `exit code ${String(exitCode)}` : `the signal ${String(signal)}`;
}

/** The last lines of a program's output, short enough for a message. */
export function textEnd(text: string, maxCharacters = 2_000): string {
  const trimmed = text.trimEnd();
  return trimmed.length <= maxCharacters ? trimmed : `...${trimmed.slice(-maxCharacters)}`;
}

/** The end of a program's stderr, for messages. */
export function endOfStderr(stderr: string): string {
  const end = textEnd(stderr);
  return end === '' ? 'it printed nothing to stderr' : `the end of its stderr:\n${end}`;
}

/** How a program ended: with an exit code or by a signal. */
interface ProgramEnding {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** With what a program ended, for messages. */
export function endingOf({ exitCode, signal }: ProgramEnding): string {
  return signal === null ? `exit code ${String(exitCode)}` : `the signal ${String(signal)}`;
}

/** The last lines of a program's output, short enough for a message. */
export function textEnd(text: string, maxCharacters = 2_000): string {
  const trimmed = text.trimEnd();
  return trimmed.length <= maxCharacters ? trimmed : `...${trimmed.slice(-maxCharacters)}`;
}

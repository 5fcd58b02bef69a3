/** Asks a yes-or-no question on the terminal. Undefined if the terminal is not interactive. */
export function terminalConfirm(): ((question: string) => Promise<boolean>) | undefined {
  const { stdin, stderr } = process;
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined;
  return async (question) => {
    const { createInterface } = await import('node:readline');
    const lines = createInterface({ input: stdin, output: stderr });
    const answer = await new Promise<string>((resolve) => {
      lines.once('close', () => resolve(''));
      lines.question(`${question} [y/N] `, resolve);
    });
    lines.close();
    return /^y(es)?$/i.test(answer.trim());
  };
}

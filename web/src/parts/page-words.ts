/** A sentence of the command line without what only a terminal knows: its exit codes and flags. */
export function pageWords(text: string): string {
  return text.replace(/ \(exit code \d+\)/, '').replace(/--max-errored tolerates only (\d+)/, 'only $1 may');
}

/** One word of a POSIX shell that means exactly this text, whatever it holds. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

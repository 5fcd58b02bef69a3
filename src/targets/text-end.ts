/** The last lines of a program's output, short enough for a message. */
export function textEnd(text: string, maxCharacters = 2_000): string {
  const trimmed = text.trimEnd();
  return trimmed.length <= maxCharacters ? trimmed : `...${trimmed.slice(-maxCharacters)}`;
}

/** Text in which upper and lower case are the same; both ways, so that a final sigma and a sharp s fold too. */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase();
}

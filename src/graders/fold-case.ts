/** Text without the difference of upper and lower case; folds both ways, for final sigma and sharp s. */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase();
}

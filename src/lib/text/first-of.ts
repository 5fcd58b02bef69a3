/** The first words of a list, and how many more there are: `a, b and 3 more`. */
export function firstOf(words: Iterable<string>, most: number): string {
  const all = [...words];
  const more = all.length > most ? ` and ${all.length - most} more` : '';
  return `${all.slice(0, most).join(', ')}${more}`;
}

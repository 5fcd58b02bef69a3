/** A text that a text column can hold; documents keep it as it was. */
export function plainText(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, '\uFFFD');
}

/** The same of one that may be absent. */
export function plainTextOf(text: string | undefined): string | null {
  return text === undefined ? null : plainText(text);
}

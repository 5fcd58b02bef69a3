/** The text without characters that a text column cannot store. JSON documents keep the original. */
export function plainText(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, '\uFFFD');
}

/** The same for an optional text. */
export function plainTextOf(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : plainText(text);
}

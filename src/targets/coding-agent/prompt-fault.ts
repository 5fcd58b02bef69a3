/** Some systems refuse longer arguments. */
const MAX_PROMPT_BYTES = 120_000;

/** Why a text cannot be an argument of a program. */
export function promptFault(prompt: string): string | undefined {
  const bytes = Buffer.byteLength(prompt);
  if (bytes > MAX_PROMPT_BYTES) return `it has ${bytes} bytes, and at most ${MAX_PROMPT_BYTES} are possible`;
  if (prompt.includes('\0')) return 'it contains a NUL character';
  return prompt === '' ? 'it is empty' : undefined;
}

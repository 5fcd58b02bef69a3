/** Longer arguments are refused by some systems. */
const MAX_PROMPT_BYTES = 120_000;

/** Why a text cannot be the argument of a program. */
export function promptFault(prompt: string): string | undefined {
  const bytes = Buffer.byteLength(prompt);
  if (bytes > MAX_PROMPT_BYTES) return `it has ${bytes} bytes, and ${MAX_PROMPT_BYTES} are the most`;
  if (prompt.includes('\0')) return 'it holds a NUL character';
  return prompt === '' ? 'it is empty' : undefined;
}

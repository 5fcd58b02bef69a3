/** The path of a prompt's file; undefined when the prompt is the text itself. */
export function promptFile(prompt: string): string | undefined {
  const line = prompt.trim();
  if (line.includes('\n')) return undefined;
  if (line.startsWith('file://')) return line.slice('file://'.length);
  return /^\.{0,2}\//.test(line) || /\.(md|txt)$/.test(line) ? line : undefined;
}

/**
 * The path of the file of an agent's text. Unlike a prompt for a judge, the text may be a sentence that ends with a
 * file name, a command (`/compact`), a mention (`@notes.md`) or a flag. So only another single word is a path.
 */
export function textFile(text: string): string | undefined {
  const line = text.trim();
  if (line.startsWith('file://') && !line.includes('\n')) return line.slice('file://'.length);
  if (/^[/@-]|\s/.test(line)) return undefined;
  return /^\.{1,2}\//.test(line) || /.\.(md|txt)$/.test(line) ? line : undefined;
}

/** The path of the file a prompt stands in; undefined when the prompt is the text itself. */
export function promptFile(prompt: string): string | undefined {
  const line = prompt.trim();
  if (line.includes('\n')) return undefined;
  if (line.startsWith('file://')) return line.slice('file://'.length);
  return /^\.{0,2}\//.test(line) || /\.(md|txt)$/.test(line) ? line : undefined;
}

/**
 * The path of the file that a text of an agent stands in. Unlike a prompt for a judge it may well be a sentence that ends
 * with the name of a file, a command (`/compact`), a mention (`@notes.md`) or a flag: only another single word is a path.
 */
export function textFile(text: string): string | undefined {
  const line = text.trim();
  if (line.startsWith('file://') && !line.includes('\n')) return line.slice('file://'.length);
  if (/^[/@-]|\s/.test(line)) return undefined;
  return /^\.{1,2}\//.test(line) || /.\.(md|txt)$/.test(line) ? line : undefined;
}

/** Tells which names the text of a check reads. If it can read others than it names, it reads everything. */
export function readerOf(text: string): (name: string) => boolean {
  if (READS_ANY.test(text)) return () => true;
  return (name) => new RegExp(`\\b${name}\\b`).test(text);
}

/** Escapes and letters beyond ASCII can spell any name. */
const READS_ANY =
  /\b(?:eval|arguments|Function|context|locals|globals|dir|exec|inspect|sys)\b|\\u|[^\0-\x7f]/;

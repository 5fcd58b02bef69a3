/** The assignments of a `.env` file: `NAME=value`, `export`, quotes, comments. Other lines are ignored. */
export function parseDotenv(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const match of text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .matchAll(ASSIGNMENT)) {
    const { name, single, double, bare } = match.groups ?? {};
    if (name !== undefined) values[name] = single ?? unescaped(double) ?? bareValue(bare ?? '');
  }
  return values;
}

const ASSIGNMENT =
  /^[^\S\n]*(?:export[^\S\n]+)?(?<name>[A-Za-z_][A-Za-z0-9_.]*)[^\S\n]*=[^\S\n]*(?:'(?<single>[^']*)'[^\S\n]*(?:#.*)?$|"(?<double>(?:[^"\\]|\\[^])*)"[^\S\n]*(?:#.*)?$|(?<bare>.*)$)/gm;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' };

function unescaped(text: string | undefined): string | undefined {
  return text?.replace(/\\([^])/g, (whole, char: string) => ESCAPES[char] ?? whole);
}

function bareValue(text: string): string {
  return text.replace(/(?:^|\s+)#.*$/, '').trim();
}

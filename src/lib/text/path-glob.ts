/**
 * Tests paths (`/` as separator) against a glob: `*` and `?` within a name, `**` over folders, `[abc]`, `{a,b}`. Hidden
 * files match too; a folder matches everything in it.
 */
export function pathGlob(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false;
  const anyOf = new RegExp(globPattern(globs), 's');
  return (path) => anyOf.test(path);
}

/** The source of a regular expression with flag `s`; a user's glob may take long on a long path. */
export function globPattern(globs: readonly string[]): string {
  return `^(?:${globs.map(sourceOf).join('|')})(?:/.*)?$`;
}

/** Whether a glob contains an invalid range such as `[z-a]`, which is matched literally. */
export function hasFaultyRange(glob: string): boolean {
  return [...glob.matchAll(TOKEN)].some(([token]) => isClass(token) && !isPattern(classSource(token)));
}

function sourceOf(glob: string): string {
  const plain = glob.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
  let open = 0;
  let source = '';
  for (const [token] of plain.matchAll(TOKEN)) {
    if (token === '{') open++;
    const closes = token === '}' && open > 0;
    if (closes) open--;
    source += closes ? ')' : pieceOf(token, open > 0);
  }
  return source + ')'.repeat(open);
}

const TOKEN = /\*\*\/|\*\*|\*|\?|\[!?\]?[^\]/]+\]|\\[^]|[^]/g;

function pieceOf(token: string, inBraces: boolean): string {
  switch (token) {
    case '**/':
      return '(?:.*/)?';
    case '**':
      return '.*';
    case '*':
      return '[^/]*';
    case '?':
      return '[^/]';
    case '{':
      return '(?:';
    case ',':
      return inBraces ? '|' : ',';
    default:
      if (isClass(token)) return isPattern(classSource(token)) ? classSource(token) : literal(token);
      return literal(token.length > 1 && token.startsWith('\\') ? token.slice(1) : token);
  }
}

function isClass(token: string): boolean {
  return token.startsWith('[') && token.length > 2;
}

/** Never matches `/`, not even when it is negated. */
function classSource(token: string): string {
  const isNegated = token.startsWith('[!');
  const members = token.slice(isNegated ? 2 : 1, -1).replaceAll(/[\\[\]^]/g, String.raw`\$&`);
  return `(?!/)[${isNegated ? '^' : ''}${members}]`;
}

function isPattern(source: string): boolean {
  try {
    void new RegExp(source);
    return true;
  } catch {
    return false;
  }
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

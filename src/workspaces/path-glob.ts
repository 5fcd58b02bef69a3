/**
 * A test of paths (`/` as separator): `*` and `?` within a name, `**` over folders, `[abc]`, `{a,b}`.
 * Hidden files are files like any other; a folder stands for everything in it.
 */
export function pathGlob(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false;
  const anyOf = new RegExp(`^(?:${globs.map(sourceOf).join('|')})(?:/.*)?$`, 's');
  return (path) => anyOf.test(path);
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
      if (token.startsWith('[') && token.length > 2) return classOf(token);
      return literal(token.length > 1 && token.startsWith('\\') ? token.slice(1) : token);
  }
}

/** A range that is none, such as `[z-a]`, stands for itself. */
function classOf(token: string): string {
  const isNegated = token.startsWith('[!');
  const members = token.slice(isNegated ? 2 : 1, -1).replaceAll(/[\\[\]^]/g, String.raw`\$&`);
  const source = `(?!/)[${isNegated ? '^' : ''}${members}]`;
  try {
    void new RegExp(source);
    return source;
  } catch {
    return literal(token);
  }
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

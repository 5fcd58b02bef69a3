import { matches } from './bounded-regexp.ts';
import { remembering } from './small-cache.ts';

/**
 * Whether a path (`/` as separator) fits a glob: `*` and `?` within a name, `**` over folders, `[abc]`, `{a,b}`.
 * Files whose name starts with a dot are files like any other; a folder stands for everything in it.
 */
export function globMatches(glob: string, path: string): boolean {
  return matches(patternOf(glob), 's', path);
}

const patternOf = remembering(256, (glob) => {
  const plain = glob.replace(/^\.\//, '').replace(/\/+$/, '');
  let source = '';
  let open = 0;
  for (const [token] of plain.matchAll(TOKEN)) {
    if (token === '{') open += 1;
    source += token === '}' && open > 0 ? ')' : piece(token, open > 0);
    if (token === '}' && open > 0) open -= 1;
  }
  return `^(?:${source}${')'.repeat(open)})(?:/.*)?$`;
});

const TOKEN = /\*\*\/|\*\*|\*|\?|\[!?\]?[^\]/]+\]|\\[^]|[^]/g;

function piece(token: string, inBraces: boolean): string {
  if (token === '**/') return '(?:.*/)?';
  if (token === '**') return '.*';
  if (token === '*') return '[^/]*';
  if (token === '?') return '[^/]';
  if (token === '{') return '(?:';
  if (token === ',' && inBraces) return '|';
  if (token.startsWith('[') && token.length > 2) return classOf(token);
  return literal(token.startsWith('\\') && token.length > 1 ? token.slice(1) : token);
}

/** Never a `/`, also where it is negated. */
function classOf(token: string): string {
  const isNegated = token.startsWith('[!');
  const members = token.slice(isNegated ? 2 : 1, -1).replaceAll(/[\\[\]^]/g, String.raw`\$&`);
  return `(?!/)[${isNegated ? '^' : ''}${members}]`;
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

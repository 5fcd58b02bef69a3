import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

import { digestOf, sha256 } from '../../lib/digest.ts';
import { statusAt } from '../../lib/files/file-status.ts';

/** sha-256 of a module and of all files that it imports by relative paths, directly or indirectly. */
export function moduleDigest(path: string): string {
  const contents = new Map<string, string>();
  const waiting = [path];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (contents.has(next)) continue;
    const text = readFileSync(next, 'utf8');
    contents.set(next, sha256(text));
    for (const specifier of localImports(text)) {
      const found = resolved(resolve(dirname(next), specifier));
      if (found !== undefined) waiting.push(found);
    }
  }
  const named = [...contents].map(([file, digest]) => [relative(dirname(path), file), digest] as const);
  return digestOf(named.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"])(\.\.?(?:\/[^'"\n]*)?)\1/g;

function localImports(text: string): readonly string[] {
  return [...text.matchAll(IMPORT)].flatMap(([, , specifier]) => specifier ?? []);
}

const EXTENSIONS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.json'];

/** The file that the loader would use: the path itself, with an extension, `.ts` for `.js`, or a folder's index. */
function resolved(path: string): string | undefined {
  const typescript = path.replace(/\.([mc]?)js$/, '.$1ts');
  const candidates = [
    path,
    typescript,
    ...EXTENSIONS.map((extension) => path + extension),
    ...EXTENSIONS.map((extension) => resolve(path, `index${extension}`)),
  ];
  return candidates.find((candidate) => statusAt(candidate)?.isFile() === true);
}

import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A file of ours and what it asks for. Paths are relative to the root of the project, with `/`. */
export interface SourceFile {
  readonly path: string;
  /** The text without comments and without quoted strings (templates stay, they hold code). */
  readonly code: string;
  /** Files of ours, resolved: `src/core/grade.ts`. */
  readonly files: readonly string[];
  /** Everything else, as it is written: `node:fs/promises`, `zod`, `@scope/name/part`. */
  readonly packages: readonly string[];
}

export function readSourceTree(root: string, folder: string): SourceFile[] {
  return listFiles(root, folder).map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')));
}

export function parseSource(path: string, text: string): SourceFile {
  const specifiers = importsOf(text);
  return {
    path,
    code: withoutComments(text).replace(quoted, "''"),
    files: specifiers.filter((name) => name.startsWith('.')).map((name) => resolve(path, name)),
    packages: specifiers.filter((name) => !name.startsWith('.')),
  };
}

export const isTest = (path: string): boolean => path.endsWith('.test.ts') || path.endsWith('.test.tsx');

function listFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return /\.tsx?$/.test(entry.name) ? [path] : [];
    return ['node_modules', 'fixtures', 'dist'].includes(entry.name) ? [] : listFiles(root, path);
  });
}

const string = `'(?:\\\\.|[^'\\\\\\n])*'|"(?:\\\\.|[^"\\\\\\n])*"`;
const quoted = new RegExp(string, 'g');
const quotedOrComment = new RegExp(`(${string}|\`(?:\\\\.|[^\`\\\\])*\`)|/\\*[^]*?\\*/|//[^\\n]*`, 'g');

/** A quote inside a regular expression can hide the start of a comment: too much is kept then, never too little. */
function withoutComments(text: string): string {
  return text.replace(quotedOrComment, (_, kept: string | undefined) => kept ?? ' ');
}

/** `import x from 'a'`, `import 'a'`, `export * from 'a'`, `import('a')` and `typeof import('a')`. */
const importing =
  /(?<=^|;)[ \t]*(?:import|export)\b[^;'"`=()]*?\bfrom\s*['"]([^'"]+)['"]|(?<=^|;)[ \t]*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"`]([^'"`]+)['"`]/gm;

function importsOf(text: string): string[] {
  return [...withoutComments(text).matchAll(importing)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
}

function resolve(from: string, specifier: string): string {
  return normalize(join(dirname(from), specifier)).replaceAll('\\', '/');
}

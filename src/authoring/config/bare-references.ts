import { isObject } from '../../lib/json.ts';
import { codeArguments } from '../../lib/shell/code-arguments.ts';
import { fault, type Fault, type Path, pathLabel } from '../yaml/fault.ts';

/** Texts with `${NAME}`, which is not replaced. Shell commands and texts for people are skipped. */
export function bareReferences(value: unknown, path: Path): readonly Fault[] {
  if (typeof value === 'string') return [...new Set(value.match(BARE))].map((found) => told(found, path));
  if (Array.isArray(value)) {
    const read = PROGRAMS.has(String(path.at(-1))) ? codeArguments(value.map(String)) : undefined;
    return value.flatMap((item, i) => (read?.has(i) === true ? [] : bareReferences(item, [...path, i])));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const isElsewhere = WORDS.has(key) || (PROGRAMS.has(key) && typeof member === 'string');
    return isElsewhere ? [] : bareReferences(member, [...path, key]);
  });
}

const BARE = /(?<![\\$])\$\{[A-Z][A-Z0-9_]*\}/g;

/** Keys of programs: their text is for the shell, which has its own variables. */
const PROGRAMS: ReadonlySet<string> = new Set(['command', 'script']);

/** Keys of texts for people or models, where a variable name is part of the text. */
const WORDS: ReadonlySet<string> = new Set(['system', 'response', 'responses', 'description', 'files']);

function told(found: string, path: Path): Fault {
  const message = `${pathLabel(path)}: ${found} is not a reference to an environment variable, so it is used as text`;
  const hint = `did you mean \`\${{ ${found.slice(2, -1)} }}\`?`;
  return fault('environment-syntax', message, { path, hint });
}

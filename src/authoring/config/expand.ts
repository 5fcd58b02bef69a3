import { fromLeaves, isObject } from '../../lib/json.ts';
import { fault, type Fault, type Path, pathLabel } from '../yaml/fault.ts';

/** A value after its environment variables were replaced. */
export interface Expanded<T> {
  readonly value: T;
  /** The variables that it refers to, set or not. */
  readonly names: readonly string[];
  readonly faults: readonly Fault[];
}

/** Replaces `${{ NAME }}` in texts at any depth; keys are left unchanged. */
export function expand<T>(value: T, environment: Readonly<Record<string, string>>, path: Path): Expanded<T> {
  const names = new Set<string>();
  const faults: Fault[] = [];
  const expandText = (text: string, at: Path): string =>
    text.replace(REFERENCE, (whole, name: string) => {
      names.add(name);
      const found = environment[name];
      if (found === undefined) faults.push(unset(name, at));
      return found ?? whole;
    });
  const expandAny = (part: unknown, at: Path): unknown => {
    if (typeof part === 'string') return expandText(part, at);
    if (Array.isArray(part)) return part.map((item, i) => expandAny(item, [...at, i]));
    if (!isObject(part)) return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, member]) => [key, expandAny(member, [...at, key])]),
    );
  };
  return { value: expandAny(value, path) as T, names: [...names], faults };
}

/** The environment variables that texts refer to, each with its path. */
export function namesIn(value: unknown, path: Path): readonly (readonly [string, Path])[] {
  return fromLeaves(value, path, (text, at) =>
    typeof text === 'string' ? [...text.matchAll(REFERENCE)].map(([, name = '']) => [name, at] as const) : [],
  );
}

/** The paths of texts that refer to environment variables. */
export function waitingPlaces(value: unknown, path: Path): readonly Path[] {
  return fromLeaves(value, path, (text, at) => (holdsReference(text) ? [at] : []));
}

/** Whether a value is a text that refers to an environment variable. */
export function holdsReference(value: unknown): value is string {
  return typeof value === 'string' && value.includes('${{');
}

/** Every `${{` that does not begin a valid `${{ NAME }}`. */
export function malformedReferences(value: unknown, path: Path): readonly Fault[] {
  return fromLeaves(value, path, (text, at) =>
    holdsReference(text) && holdsReference(text.replace(REFERENCE, '')) ? [malformed(at)] : [],
  );
}

/** A variable that is referred to and not set. */
export function unset(name: string, path: Path): Fault {
  const hint = 'set the variable, or add it to .env next to the config';
  return fault('environment-unset', `${pathLabel(path)}: environment variable ${name} is not set`, {
    path,
    hint,
  });
}

const REFERENCE = /\$\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

function malformed(path: Path): Fault {
  const message = `${pathLabel(path)}: \${{ without the name of a variable`;
  return fault('environment-syntax', message, { path, hint: 'write ${{ NAME }}' });
}

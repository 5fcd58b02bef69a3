import type { ProblemCode } from '../../core/error-code.ts';

/** Keys and positions from the top of a parsed value. */
export type Path = readonly (string | number)[];

/** One mistake in a value; `locate` finds its place in the text. */
export interface Fault {
  readonly path: Path;
  /** Whether the key itself is wrong, or its value. */
  readonly at: 'key' | 'value';
  readonly code: ProblemCode;
  readonly message: string;
  readonly hint?: string;
}

/** A mistake in a value. */
export function fault(
  code: ProblemCode,
  message: string,
  rest: Partial<Omit<Fault, 'code' | 'message'>> = {},
): Fault {
  return { path: [], at: 'value', code, message, ...rest };
}

/** The same mistake with a path from further up. */
export function under(path: Path, found: Fault): Fault {
  return { ...found, path: [...path, ...found.path] };
}

/** Formats a path as people write it: `assert[0].weight`. */
export function pathLabel(path: Path): string {
  return path.reduce<string>((label, key) => {
    if (typeof key === 'number') return `${label}[${key}]`;
    return label === '' ? key : `${label}.${key}`;
  }, '');
}

import type { ProblemCode } from '../../core/error-code.ts';

/** Keys and positions from the top of a parsed value. */
export type Path = readonly (string | number)[];

/** One thing wrong at a place in a value; `locate` finds the place in the text. */
export interface Fault {
  readonly path: Path;
  /** Whether the key itself is at fault, or what stands behind it. */
  readonly at: 'key' | 'value';
  readonly code: ProblemCode;
  readonly message: string;
  readonly hint?: string;
}

/** A fault of a value. */
export function fault(
  code: ProblemCode,
  message: string,
  rest: Partial<Omit<Fault, 'code' | 'message'>> = {},
): Fault {
  return { path: [], at: 'value', code, message, ...rest };
}

/** The same fault, seen from further up. */
export function under(path: Path, found: Fault): Fault {
  return { ...found, path: [...path, ...found.path] };
}

/** `assert[0].weight`, as people write a path. */
export function pathLabel(path: Path): string {
  return path.reduce<string>((label, key) => {
    if (typeof key === 'number') return `${label}[${key}]`;
    return label === '' ? key : `${label}.${key}`;
  }, '');
}

import { AssertionError } from 'node:assert/strict';

/** Whether a thrown value is a failed assertion, of Node or another library. */
export function isAssertionError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code, name } = error as Error & { code?: unknown };
  return error instanceof AssertionError || code === 'ERR_ASSERTION' || name === 'AssertionError';
}

/** A failed assertion whose stack starts at the caller of `method`. */
export function failure(
  message: string,
  operator: string,
  method: (...args: never[]) => unknown,
): AssertionError {
  const error = new AssertionError({ message, operator, stackStartFn: method });
  return withLocation(error);
}

/** Adds the place in the user's code that an error came from, as `path:line:column`. */
export function withLocation<E extends Error>(error: E): E {
  const location = locationOf(error);
  if (location !== undefined && !('location' in error) && Object.isExtensible(error))
    Object.defineProperty(error, 'location', { value: location, configurable: true, enumerable: true });
  return error;
}

/** The stack as a text; empty when a suite changed the format of stacks. */
export function stackOf(error: Error): string {
  const { stack }: { readonly stack?: unknown } = error;
  return typeof stack === 'string' ? stack : '';
}

/** The first frame outside Node and this package. */
export function locationOf(error: Error): string | undefined {
  for (const line of stackOf(error).split('\n')) {
    if (line.length > LONGEST_FRAME) continue;
    const [, place, position] = /^\s+at (?:.*\()?((?:file:\/\/)?\/.*?)(:\d+:\d+)\)?$/.exec(line) ?? [];
    if (place === undefined || position === undefined) continue;
    const path = place.startsWith('file:') ? decodeURIComponent(new URL(place).pathname) : place;
    if (!isOurs(path)) return `${path}${position}`;
  }
  return undefined;
}

/** The stack of an error without frames of this package, the loader and Node. */
export function userStack(error: Error): string | undefined {
  const stack = stackOf(error);
  if (stack === '') return undefined;
  return stack
    .split('\n')
    .filter(
      (line) =>
        line.length > LONGEST_FRAME ||
        !/^\s+at /.test(line) ||
        (!/\bnode:|<anonymous>\)?$/.test(line) && !isOurs(pathIn(line))),
    )
    .join('\n');
}

/** A longer line belongs to the message, which may quote an agent. */
const LONGEST_FRAME = 4_096;

function pathIn(frame: string): string {
  const [, place = ''] = /^\s+at (?:.*\()?((?:file:\/\/)?\/.*?):\d+:\d+\)?$/.exec(frame) ?? [];
  return place.startsWith('file:') ? decodeURIComponent(new URL(place).pathname) : place;
}

/** The folder of this package: in the sources the folder of assertions, in a build the folder of the bundle. */
const OWN = ((): string => {
  const here = decodeURIComponent(new URL('.', import.meta.url).pathname);
  return here.replace(/\/dist\/.*$/, '/dist/');
})();

function isOurs(path: string): boolean {
  return (path.startsWith(OWN) && !path.endsWith('.test.ts')) || path.includes('/node_modules/jiti/');
}

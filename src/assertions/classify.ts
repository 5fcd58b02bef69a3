import type { FailureClass } from '../core/code-suite.ts';
import { inClass, putClass } from './trial-frame.ts';
import { givenShown } from './given.ts';

/** Gives errors of the callback a failure class, and returns its result. The innermost class counts. */
export function classify<T>(idOrClass: FailureClass | string, callback: () => T): T {
  const failureClass = readClass(idOrClass);
  const marked = (error: unknown): never => {
    putClass(error, failureClass);
    throw error;
  };
  return inClass(failureClass, () => {
    try {
      const result = callback();
      return isPromise(result) ? (result.then(undefined, marked) as T) : result;
    } catch (error) {
      return marked(error);
    }
  });
}

/** Reads a class from a text or `{ id, label? }`. Throws a TypeError for anything else. */
export function readClass(value: unknown): FailureClass {
  if (typeof value === 'string' && value.trim() !== '') return { id: value };
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const { id, label } = value as { id?: unknown; label?: unknown };
    const isLabel = label === undefined || typeof label === 'string';
    if (typeof id === 'string' && id.trim() !== '' && isLabel)
      return label === undefined ? { id } : { id, label };
  }
  throw new TypeError(`expected the id of a failure class or { id, label }, got ${givenShown(value)}`);
}

function isPromise(value: unknown): value is Promise<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}

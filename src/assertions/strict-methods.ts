import { AssertionError } from 'node:assert/strict';
import strict from 'node:assert/strict';
import { inspect } from 'node:util';

/** The message of an assertion: a text, or the error to throw. */
type Message = string | Error;

/** What an error is compared with: a class or function, a pattern for its text, properties, or a test. */
type ErrorExpectation = (new (...args: never[]) => object) | RegExp | object | ((error: unknown) => boolean);

/** A promise, or a function that returns one. */
type Work = (() => PromiseLike<unknown>) | PromiseLike<unknown>;

/** Node's strict assertions. */
export interface StrictMethods {
  ok(value: unknown, message?: Message): asserts value;
  equal<T>(actual: unknown, expected: T, message?: Message): asserts actual is T;
  notEqual(actual: unknown, expected: unknown, message?: Message): void;
  deepEqual<T>(actual: unknown, expected: T, message?: Message): asserts actual is T;
  notDeepEqual(actual: unknown, expected: unknown, message?: Message): void;
  strictEqual<T>(actual: unknown, expected: T, message?: Message): asserts actual is T;
  notStrictEqual(actual: unknown, expected: unknown, message?: Message): void;
  deepStrictEqual<T>(actual: unknown, expected: T, message?: Message): asserts actual is T;
  notDeepStrictEqual(actual: unknown, expected: unknown, message?: Message): void;
  match(text: string, pattern: RegExp, message?: Message): void;
  doesNotMatch(text: string, pattern: RegExp, message?: Message): void;
  throws(block: () => unknown, expected?: ErrorExpectation | string, message?: Message): void;
  doesNotThrow(block: () => unknown, expected?: ErrorExpectation | string, message?: Message): void;
  rejects(work: Work, expected?: ErrorExpectation | string, message?: Message): Promise<void>;
  doesNotReject(work: Work, expected?: ErrorExpectation | string, message?: Message): Promise<void>;
  fail(message?: Message): never;
  ifError(value: unknown): asserts value is null | undefined;
}

const NAMES = [
  'equal',
  'notEqual',
  'deepEqual',
  'notDeepEqual',
  'strictEqual',
  'notStrictEqual',
  'deepStrictEqual',
  'notDeepStrictEqual',
  'match',
  'doesNotMatch',
  'throws',
  'doesNotThrow',
  'rejects',
  'doesNotReject',
  'fail',
  'ifError',
] as const satisfies readonly (keyof StrictMethods)[];

/** All methods that report failures through the returned promise. */
export const PROMISING: ReadonlySet<string> = new Set(['rejects', 'doesNotReject']);

/** Node's own functions, and our own `ok`. */
export const strictMethods = {
  ...Object.fromEntries(NAMES.map((name) => [name, strict[name]])),
  ok,
} as unknown as StrictMethods;

/** Node would print the source code of our own call for a missing message. */
function ok(...args: readonly unknown[]): void {
  truthy(args, ok);
}

/** Fails when the first argument is falsy, at the caller of `method`. */
export function truthy(args: readonly unknown[], method: (...rest: never[]) => unknown): void {
  const [value, message] = args;
  if (value) return;
  if (message instanceof Error) throw message;
  const text =
    args.length === 0 ? 'No value argument passed' : `Expected a truthy value, got ${inspect(value)}`;
  throw new AssertionError({
    message: typeof message === 'string' ? message : text,
    actual: value,
    expected: true,
    operator: '==',
    stackStartFn: method,
  });
}

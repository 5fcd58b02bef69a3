import { AssertionError } from 'node:assert/strict';
import strict from 'node:assert/strict';
import { inspect } from 'node:util';

/** What an assertion can say of itself: a text before its own words, or the error to throw. */
type Message = string | Error;

/** A class or function to compare an error with, a pattern for its text, properties, or a test. */
type ErrorExpectation = (new (...args: never[]) => object) | RegExp | object | ((error: unknown) => boolean);

/** A promise, or what makes one. */
type Work = (() => PromiseLike<unknown>) | PromiseLike<unknown>;

/** The strict assertions of Node. */
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

/** Every method whose failures are thrown by what it returns. */
export const PROMISING: ReadonlySet<string> = new Set(['rejects', 'doesNotReject']);

/** Node's own functions, and an `ok` of ours. */
export const strictMethods = {
  ...Object.fromEntries(NAMES.map((name) => [name, strict[name]])),
  ok,
} as unknown as StrictMethods;

/** Node would print the source of our own call for a missing message. */
function ok(...args: readonly unknown[]): void {
  truthy(args, ok);
}

/** Fails where the first argument is falsy, at the place where `method` was called. */
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

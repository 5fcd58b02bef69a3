import { inspect, types } from 'node:util';

/** A wrong argument on one line, shortened. */
export function givenShown(value: unknown): string {
  if (types.isPromise(value)) return 'a promise';
  const text = inspect(value, { depth: 1, breakLength: Infinity });
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}...`;
}

const LONGEST = 200;

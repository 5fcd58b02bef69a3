import { isCount, MOST_COUNT } from '../core/usage.ts';
import { isObject } from '../lib/json.ts';
import { contractBroken } from './target-errors.ts';

/** The expected type of a value in an answer. */
export interface Shape<T> {
  readonly wanted: string;
  is(value: unknown): value is T;
}

export const TEXT: Shape<string> = {
  wanted: 'a text',
  is: (value): value is string => typeof value === 'string',
};

export const AMOUNT: Shape<number> = {
  wanted: `a number from 0 to ${MOST_COUNT}`,
  is: isCount,
};

export const OBJECT: Shape<Record<string, unknown>> = { wanted: 'an object', is: isObject };

export const LIST: Shape<readonly unknown[]> = {
  wanted: 'a list',
  is: (value): value is readonly unknown[] => Array.isArray(value),
};

/** Checks a value; throws at the first mistake in the answer. */
export function required<T>(value: unknown, at: string, shape: Shape<T>): T {
  if (!shape.is(value)) throw wrongAt(at, `expected ${shape.wanted}, got ${described(value)}`);
  return value;
}

/** The same; null counts as absent. */
export function optional<T>(value: unknown, at: string, shape: Shape<T>): T | undefined {
  return isGiven(value) ? required(value, at, shape) : undefined;
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The error of an answer that does not have the documented form. */
export function wrongAt(at: string, problem: string): Error {
  return contractBroken(`invalid answer at ${at}: ${problem}`, {
    hint: 'answer in the format that the guide documents for this type of target',
  });
}

function described(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  return (typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value)).slice(0, 100);
}

import { describe, expect, test } from 'vitest';

import { AssayError, errorRecord, MeasurementError, messageOf } from './errors.ts';

const fallback = { stage: 'target', kind: 'runner-crash' } as const;

describe('errorRecord', () => {
  test('of a measurement error is what it says, with the detail as code', () => {
    const error = new MeasurementError('slow', {
      stage: 'user',
      kind: 'simulator',
      detail: 'blank',
      hint: 'retry',
    });
    expect(errorRecord(error, fallback)).toEqual({
      stage: 'user',
      kind: 'simulator',
      detail: 'blank',
      code: 'blank',
      message: 'slow',
      hint: 'retry',
    });
  });

  test('of a measurement error without detail has its kind as code', () => {
    const error = new MeasurementError('gone', { stage: 'target', kind: 'http-error', transient: true });
    expect(errorRecord(error, fallback)).toEqual({
      stage: 'target',
      kind: 'http-error',
      code: 'http-error',
      message: 'gone',
    });
  });

  test('of another error of ours keeps code and hint, and is laid to the fallback', () => {
    const error = new AssayError('unknown-grader', 'no such', { stage: 'grading', hint: 'name one' });
    expect(errorRecord(error, fallback)).toEqual({
      stage: 'target',
      kind: 'runner-crash',
      code: 'unknown-grader',
      message: 'no such',
      hint: 'name one',
    });
  });

  test('of anything else is laid to the fallback', () => {
    const expected = { stage: 'target', kind: 'runner-crash', code: 'runner-crash', message: 'x' };
    expect(errorRecord(new TypeError('x'), fallback)).toEqual(expected);
    expect(errorRecord('x', fallback)).toEqual(expected);
  });
});

describe('MeasurementError', () => {
  test('is repeatable only when told so, and keeps cause, wait and limit', () => {
    const cause = new Error('ECONNREFUSED');
    const limit = { kind: 'max-steps', ceiling: 3, reached: 4 } as const;
    const options = {
      stage: 'target',
      kind: 'http-error',
      cause,
      retryAfterMs: 5,
      transient: true,
      limit,
    } as const;
    const error = new MeasurementError('m', options);
    const { stage, kind, transient, retryAfterMs, code, name } = error;
    expect({
      stage,
      kind,
      transient,
      retryAfterMs,
      code,
      name,
      cause: error.cause,
      limit: error.limit,
    }).toEqual({
      ...options,
      code: 'http-error',
      name: 'MeasurementError',
    });
    expect(new MeasurementError('m', { stage: 'target', kind: 'timeout' }).transient).toBe(false);
  });
});

test('messageOf never throws', () => {
  expect([new Error('a'), 'b', { message: 'c' }, null, undefined, 5, Symbol('s')].map(messageOf)).toEqual([
    'a',
    'b',
    'c',
    'null',
    'undefined',
    '5',
    'Symbol(s)',
  ]);
  expect(messageOf(Object.create(null))).toBe('something that is no error was thrown');
});

import { describe, expect, test } from 'vitest';

import { AssayError, errorRecord, MeasurementError, messageOf } from './errors.ts';

const fallback = { stage: 'target', kind: 'runner-crash' } as const;

describe('errorRecord', () => {
  test('copies the values of a measurement error, with the detail as code', () => {
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

  test('uses the kind as code for a measurement error without detail', () => {
    const error = new MeasurementError('gone', { stage: 'target', kind: 'http-error', transient: true });
    expect(errorRecord(error, fallback)).toEqual({
      stage: 'target',
      kind: 'http-error',
      code: 'http-error',
      message: 'gone',
    });
  });

  test('keeps code and hint of an AssayError, with the stage and kind of the fallback', () => {
    const error = new AssayError('unknown-grader', 'no such', { stage: 'grading', hint: 'name one' });
    expect(errorRecord(error, fallback)).toEqual({
      stage: 'target',
      kind: 'runner-crash',
      code: 'unknown-grader',
      message: 'no such',
      hint: 'name one',
    });
  });

  test('gives any other value the stage and kind of the fallback', () => {
    const expected = { stage: 'target', kind: 'runner-crash', code: 'runner-crash', message: 'x' };
    expect(errorRecord(new TypeError('x'), fallback)).toEqual(expected);
    expect(errorRecord('x', fallback)).toEqual(expected);
  });
});

describe('MeasurementError', () => {
  test('is transient only when it says so, and keeps cause, wait and limit', () => {
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
  expect(messageOf(Object.create(null))).toBe('a value without a message was thrown');
});

test('messageOf of an error without a text of its own gives the first reason, or its code', () => {
  const without = (more: object) => Object.assign(new Error('x'), { message: '', ...more });
  const errors = [new Error('connect ECONNREFUSED ::1:5432'), new Error('other')];
  const thrown = [{ errors, code: 'ECONNREFUSED' }, { code: 'ECONNRESET' }, {}, { errors: [] }].map(without);
  expect(thrown.map(messageOf)).toEqual(['connect ECONNREFUSED ::1:5432', 'ECONNRESET', '', '']);
});

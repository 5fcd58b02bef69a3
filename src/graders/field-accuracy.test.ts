import { describe, expect, test } from 'vitest';

import type { Part } from '../core/message.ts';

import { calendarDate, DEFAULT_DATE_FORMATS } from './calendar-date.ts';
import { fieldAccuracy } from './field-accuracy.ts';
import { findingOf, problemsOf } from './subject.fixture.ts';

const reference = {
  id: 7,
  total: 100,
  date: '2025-01-15',
  items: [{ price: 5 }, { price: 6 }],
  buyer: { name: 'Ada' },
};

function graded(fields: readonly object[], answer: unknown, more: object = {}) {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return findingOf(fieldAccuracy, { fields, ...more }, { answer: text, reference });
}

describe('field_accuracy', () => {
  test('scores the weighted share of fields that agree', async () => {
    const fields = [{ path: 'id', weight: 3 }, { path: 'buyer.name' }, { path: 'items[1].price' }];
    expect(
      await graded(fields, { id: 7, buyer: { name: 'Bob' }, items: [{ price: 5 }, { price: 6 }] }),
    ).toEqual({
      score: 0.8,
      reason: '2 of 3 fields agree; buyer.name: expected "Ada", found "Bob"',
    });
    expect(await graded(fields, { id: 7, buyer: { name: 'Ada' }, items: [0, { price: 6 }] })).toEqual({
      score: 1,
      reason: '3 of 3 fields agree',
    });
    expect(await graded(fields, { id: 8, items: [] })).toEqual({
      score: 0,
      reason: '0 of 3 fields agree; wrong: id | buyer.name | items[1].price',
      evidence: [
        { text: 'id: expected 7, found 8', passed: false },
        { text: 'buyer.name: expected "Ada", but the answer does not have the field', passed: false },
        { text: 'items[1].price: expected 6, but the answer does not have the field', passed: false },
      ],
    });
  });

  test('all_or_nothing is 1 only when all agree', async () => {
    const more = { aggregation: 'all_or_nothing' };
    const fields = [{ path: 'id', weight: 9 }, { path: 'total' }];
    expect((await graded(fields, { id: 7, total: 1 }, more)).score).toBe(0);
    expect((await graded(fields, { id: 7, total: 100 }, more)).score).toBe(1);
  });

  test('a missing optional field does not count, a wrong one does', async () => {
    const fields = [{ path: 'id' }, { path: 'total', required: false }];
    expect((await graded(fields, { id: 7 })).score).toBe(1);
    expect((await graded(fields, { id: 7, total: 1 })).score).toBe(0.5);
    expect((await graded([{ path: 'total' }, { path: 'id' }], { id: 7 })).score).toBe(0.5);
    expect(await graded([{ path: 'total', required: false }], {})).toEqual({
      score: 0,
      reason: 'the answer has none of the fields',
    });
  });

  test.each([
    [{ path: 'total', match: 'numeric_tolerance', tolerance: 1 }, { total: 101 }, 1],
    [{ path: 'total', match: 'numeric_tolerance', tolerance: 1 }, { total: '$101.00' }, 1],
    [{ path: 'total', match: 'numeric_tolerance', tolerance: 1 }, { total: 102 }, 0],
    [{ path: 'total', match: 'numeric_tolerance', tolerance: 0.02, relative: true }, { total: 102 }, 1],
    [{ path: 'total', match: 'numeric_tolerance', relative: 0.01 }, { total: 102 }, 0],
    [{ path: 'total', match: 'numeric_tolerance' }, { total: 'lots' }, 0],
    [{ path: 'total' }, { total: '100' }, 0],
    [{ path: 'date', match: 'date' }, { date: 'January 15, 2025' }, 1],
    [{ path: 'date', match: 'date' }, { date: '2025-01-15T23:30:00-11:00' }, 1],
    [{ path: 'date', match: 'date' }, { date: '2025-01-16' }, 0],
    [{ path: 'date', match: 'date' }, { date: 'soon' }, 0],
    [{ path: 'date', match: 'date', formats: ['DD/MM/YYYY', 'YYYY-MM-DD'] }, { date: '15/01/2025' }, 1],
  ])('%j against %j scores %d', async (field, answer, score) => {
    expect((await graded([field], answer)).score).toBe(score);
  });

  test('reads a single fenced block as the answer, and scores 0 for invalid JSON', async () => {
    expect((await graded([{ path: 'id' }], '```json\n{"id":7}\n```')).score).toBe(1);
    expect((await graded([{ path: 'id' }], 'seven')).score).toBe(0);
  });

  test('a reference that cannot serve is an error, never a score', async () => {
    await expect(graded([{ path: 'tax' }], { tax: 1 })).rejects.toThrow(
      /the reference has no field tax; add it/,
    );
    expect((await graded([{ path: 'tax', required: false }, { path: 'id' }], { id: 7, tax: 1 })).score).toBe(
      1,
    );
    await expect(graded([{ path: 'buyer.name', match: 'date' }], reference)).rejects.toThrow(
      /^expected a date in the format/,
    );
    await expect(graded([{ path: 'date', match: 'numeric_tolerance' }], reference)).rejects.toThrow(
      /^expected a number in the reference at date/,
    );
    await expect(
      findingOf(fieldAccuracy, { fields: [{ path: 'a' }] }, { answer: '{}', reference: 'text' }),
    ).rejects.toThrow(/the reference is not an object/);
    await expect(findingOf(fieldAccuracy, { fields: [{ path: 'a' }] }, { answer: '{}' })).rejects.toThrow(
      /no reference/,
    );
  });

  test('a reference that is JSON as text is read', async () => {
    const config = { fields: [{ path: 'a' }] };
    expect((await findingOf(fieldAccuracy, config, { answer: '{"a":1}', reference: '{"a":1}' })).score).toBe(
      1,
    );
  });

  test('keys that would have no effect are refused', () => {
    expect(
      problemsOf(fieldAccuracy, {
        fields: [
          { path: 'a', tolerance: 1 },
          { path: 'b', match: 'date', relative: true },
          { path: 'c', formats: ['YYYY-MM-DD'] },
        ],
      }),
    ).toEqual([
      'fields.0.tolerance: only allowed with `match: numeric_tolerance`',
      'fields.1.relative: only allowed with `match: numeric_tolerance`',
      'fields.2.formats: only allowed with `match: date`',
    ]);
    expect(problemsOf(fieldAccuracy, { fields: [{ path: 'a..b' }] })).toEqual([
      'fields.0.path: expected a path such as total or items[0].price',
    ]);
    expect(problemsOf(fieldAccuracy, { fields: [{ path: 'a', weight: 0 }] })).toEqual([
      'fields: at least one field needs a weight greater than 0',
    ]);
    expect(problemsOf(fieldAccuracy, { fields: [{ path: 'a', match: 'date', formats: ['YYYY'] }] })).toEqual([
      'fields.0.formats.0: a date format needs one year (YYYY or YY), one month (MMMM, MMM, MM or M) and one day (DD or D)',
    ]);
  });
});

describe('calendar dates', () => {
  test.each([
    ['2025-01-15', '2025-01-15'],
    ['2025-01-15T00:30:00+02:00', '2025-01-15'],
    ['2025-01-15 23:59', '2025-01-15'],
    ['2025/01/15', '2025-01-15'],
    ['15-JAN-2025', '2025-01-15'],
    ['5 Sept 2025', '2025-09-05'],
    ['5 September 2025', '2025-09-05'],
    ['May 3, 2025', '2025-05-03'],
    ['2024-02-29', '2024-02-29'],
    ['2025-02-29', undefined],
    ['2025-13-01', undefined],
    ['01/02/2025', undefined],
    ['2025-01-15 or so', undefined],
    ['', undefined],
  ])('%j is %s', (text, date) => {
    expect(calendarDate(text, DEFAULT_DATE_FORMATS)).toBe(date);
  });

  test.each([
    ['01/02/2025', ['MM/DD/YYYY'], '2025-01-02'],
    ['01/02/2025', ['DD/MM/YYYY'], '2025-02-01'],
    ['13/02/2025', ['MM/DD/YYYY', 'DD/MM/YYYY'], '2025-02-13'],
    ['1.2.99', ['D.M.YY'], '1999-02-01'],
    ['1x2x25', ['D.M.YY'], undefined],
  ])('%j by %j is %s', (text, formats, date) => {
    expect(calendarDate(text, formats)).toBe(date);
  });

  // With backtracking this would go on for minutes.
  test('terminates for long white space after a date', () => {
    expect(calendarDate(`2020-01-01 10:10${' '.repeat(1_000_000)}x`, DEFAULT_DATE_FORMATS)).toBeUndefined();
  });
});

test('a reference without a compared field is reported before anything runs', () => {
  const config = fieldAccuracy.config.parse({
    fields: [{ path: 'a' }, { path: 'b[0]' }, { path: 'c', required: false }],
  });
  const faults = (part: Part) => fieldAccuracy.referenceFaults?.(config, [part]);
  expect(faults({ json: { a: 1, b: [2] } })).toEqual([]);
  expect(faults({ text: '{"a": 1, "b": [2]}' })).toEqual([]);
  expect(faults({ json: { a: 1 } })).toEqual([
    'the reference has no field b[0]; add it to `expected_output`, or set `required: false` for this field',
  ]);
  expect(faults({ text: 'Paris' })).toEqual([
    'the reference is not an object; write `expected_output` as a mapping with the expected fields',
  ]);
});

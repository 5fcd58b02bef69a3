import { expect, test } from 'vitest';

import { dayOf, periodOf } from './period.ts';

const atMidnight = (year: number, month: number, day: number) => new Date(year, month - 1, day).toISOString();

test('a day begins at midnight of the reader, and the last day belongs to the period', () => {
  expect(periodOf({ since: '2026-03-01', until: '2026-03-31' })).toEqual({
    asked: { since: atMidnight(2026, 3, 1), until: atMidnight(2026, 4, 1) },
    problems: {},
  });
  expect(periodOf({ since: '2026-03-01', until: '2026-03-01' }).problems).toEqual({});
});

test('a time is taken as it is', () => {
  expect(periodOf({ since: '2026-03-01T10:00:00Z', until: '2026-03-01T12:00:00+01:00' })).toEqual({
    asked: { since: '2026-03-01T10:00:00.000Z', until: '2026-03-01T11:00:00.000Z' },
    problems: {},
  });
  expect(periodOf({})).toEqual({ asked: {}, problems: {} });
});

test.each(['yesterday', '2026-02-31', '2026-13-01', '0026-03-01', '2026-03-01T25:00'])(
  '%s is not a date, and the other bound holds',
  (written) => {
    const problem = `“${written}” is not a date. Write it like 2026-03-31.`;
    expect(periodOf({ since: written, until: '2026-03-31' })).toEqual({
      asked: { until: atMidnight(2026, 4, 1) },
      problems: { since: problem },
    });
    expect(periodOf({ until: written })).toEqual({ asked: {}, problems: { until: problem } });
  },
);

test('an end before the beginning is told, and left out', () => {
  expect(periodOf({ since: '2026-03-02', until: '2026-03-01' })).toEqual({
    asked: { since: atMidnight(2026, 3, 2) },
    problems: { until: 'The end is before the beginning.' },
  });
});

test('a field shows the day of a bound, and nothing where it is no date', () => {
  expect(['2026-03-01', '2026-03-01T10:00:00Z', '2026-02-31', 'soon', undefined].map(dayOf)).toEqual([
    '2026-03-01',
    '2026-03-01',
    '',
    '',
    '',
  ]);
});

test('of a long text only the beginning is told', () => {
  const problem = `“${'x'.repeat(40)}…” is not a date. Write it like 2026-03-31.`;
  expect(periodOf({ since: 'x'.repeat(1000) }).problems).toEqual({ since: problem });
});

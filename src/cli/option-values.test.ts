import { expect, onTestFinished, test, vi } from 'vitest';

import { dateOrTime, endOfToken, portNumber } from './option-values.ts';

test.each([
  ['0', 0],
  ['65535', 65_535],
])('%s is a port', (value, port) => {
  expect(portNumber(value)).toBe(port);
});

test.each(['', '-1', '1.5', '65536', '99999', '1e3', ' 80'])('%j is not a port', (value) => {
  expect(() => portNumber(value)).toThrow('Give a whole number from 0 to 65535.');
});

test.each([
  ['2026-01-31', '2026-01-31T00:00:00Z'],
  ['2026-01-31T12:00Z', '2026-01-31T12:00Z'],
  ['2026-01-31T12:00:00.000001+01:00', '2026-01-31T12:00:00.000001+01:00'],
])('%s is a date or a time', (value, time) => {
  expect(dateOrTime(value)).toBe(time);
});

test.each(['', 'yesterday', '2026', '2026-02-30', '2026-13-01', '2026-01-31T12:00', '2026-01-31T25:00:00Z'])(
  '%j is neither a date nor a time',
  (value) => {
    expect(() => dateOrTime(value)).toThrow('Give a date such as 2026-01-31');
  },
);

test.each([
  ['90d', '2027-04-01T10:00:00.000Z'],
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31T12:00:00+01:00', '2027-01-31T11:00:00.000Z'],
])('a token can end at %s', (value, end) => {
  vi.useFakeTimers({ now: Date.parse('2027-01-01T10:00:00Z'), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  expect(new Date(endOfToken(value)).toISOString()).toBe(end);
});

test.each(['', 'd', '-1d', '1.5d', '90', 'soon', '2027-02-30', '2027-01-31T12:00'])(
  'a token cannot end at %j',
  (value) => {
    expect(() => endOfToken(value)).toThrow('Give days such as 90d, or a date such as 2027-01-31.');
  },
);

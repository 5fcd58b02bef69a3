import { expect, test } from 'vitest';

import { portNumber } from './option-values.ts';

test.each([
  ['0', 0],
  ['65535', 65_535],
])('%s is a port', (value, port) => {
  expect(portNumber(value)).toBe(port);
});

test.each(['', '-1', '1.5', '65536', '99999', '1e3', ' 80'])('%j is not a port', (value) => {
  expect(() => portNumber(value)).toThrow('Give a whole number from 0 to 65535.');
});

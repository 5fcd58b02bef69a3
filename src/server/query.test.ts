import { expect, test } from 'vitest';
import { z } from 'zod';

import { pageQuery, several } from '../api/resources/page.ts';
import { readQuery } from './query.ts';

const schema = z.strictObject({ ...pageQuery, verdict: several(z.enum(['passed', 'failed'])) });

test.each([
  ['verdict=nope', 'verdict=nope: not one of: passed, failed'],
  ['verdict=passed&verdict=nope', 'verdict=passed,nope: not one of: passed, failed'],
  ['limit=1000', 'limit=1000: at most 200'],
  ['limit=0', 'limit=0: at least 1'],
])('a wrong parameter is refused with what it takes: %s', (query, message) => {
  const read = () => readQuery(schema, new URLSearchParams(query));
  expect(read).toThrow(expect.objectContaining({ message }));
});

test('a parameter that is missing is named', () => {
  const read = () => readQuery(z.strictObject({ base: z.string() }), new URLSearchParams(''));
  expect(read).toThrow(expect.objectContaining({ message: 'the parameter `base` is missing' }));
});

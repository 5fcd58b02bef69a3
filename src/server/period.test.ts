import { expect, test } from 'vitest';

import { failed, viewedRuns } from '../../test/support/viewed-runs.ts';

const { keep, asked } = viewedRuns();

test.each(['/runs', '/trends'])('%s compares times, however precisely they are written', async (list) => {
  await keep(Date.parse('2026-01-01T00:00:00.500Z'), [failed('b')]);
  const found = async (query: string) => (await asked(`${list}?${query}`)).data.length;
  expect(await found('since=2026-01-01T00:00:00Z')).toBe(1);
  expect(await found('since=2026-01-01T00:00:01Z')).toBe(0);
  expect(await found('until=2026-01-01T00:00:00Z')).toBe(0);
  expect(await found('until=2026-01-01T00:00:01Z')).toBe(1);
  expect(await found('since=2026-01-01T00:00:00.5Z&until=2026-01-01T00:00:00.501Z')).toBe(1);
});

import { expect, test } from 'vitest';

import { bodyOf, NOTHING_ASKED } from './plan.ts';

test('what is not asked for is left to the config', () => {
  expect(bodyOf(NOTHING_ASKED, { tag_any: ['a'] })).toEqual({ select: { tag_any: ['a'] } });
});

test('numbers are numbers, and other texts are left to the server', () => {
  const asked = { name: ' nightly ', targets: ['desk'], repetitions: '3', budget: 'much' };
  expect(bodyOf(asked, {})).toEqual({
    select: {},
    name: 'nightly',
    targets: ['desk'],
    repetitions: 3,
    budget_usd: 'much',
  });
});

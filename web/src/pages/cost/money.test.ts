import { expect, test } from 'vitest';

import { moneyText } from './money.ts';

test('money that is known in part is a minimum, and unknown money is not zero', () => {
  expect([
    moneyText({ cost_usd: 0.25, known_usd: 0.25, unknown_trials: 0 }),
    moneyText({ cost_usd: null, known_usd: 0.25, unknown_trials: 3 }),
    moneyText({ cost_usd: null, known_usd: 0, unknown_trials: 3 }),
  ]).toEqual(['$0.25', 'at least $0.25, 3 unknown', 'unknown']);
});

import { expect, test } from 'vitest';

import { moneyText } from './money.ts';

test('money that is known in part is a minimum, and unknown money is not zero', () => {
  expect([
    moneyText({ known_usd: 0.25, known_trials: 1, unknown_trials: 0 }),
    moneyText({ known_usd: 0.25, known_trials: 0, unknown_trials: 3 }),
    moneyText({ known_usd: 0, known_trials: 0, unknown_trials: 3 }),
    moneyText({ known_usd: 0, known_trials: 0, unknown_trials: 0 }),
  ]).toEqual(['$0.25', 'at least $0.25, 3 unknown', 'unknown', '-']);
});

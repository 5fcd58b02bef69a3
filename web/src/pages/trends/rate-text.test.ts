import { expect, test } from 'vitest';

import { rateText } from './rate-text.ts';

const counts = { passed: 10, failed: 2 };

test('a share of trials stands with its trials, and a mean of cases with its cases', () => {
  expect(rateText({ counts, rate: 10 / 12, rate_of_cases: null })).toBe('10/12 = 83.3 %');
  expect(rateText({ counts, rate: 0.7, rate_of_cases: 4 })).toBe('70 % over 4 cases');
});

import type { TrendPoint } from '../../../../src/api/resources/trends.ts';
import { ratioText } from '../../../../src/reading/phrases.ts';

type Rated = Pick<TrendPoint, 'counts' | 'rate' | 'rate_of_cases'>;

/** The rate of a point with what it was counted from: trials, or cases that count once each. */
export function rateText({ counts, rate, rate_of_cases: cases }: Rated): string {
  const passed = counts['passed'] ?? 0;
  const measured = passed + (counts['failed'] ?? 0);
  return ratioText({ value: rate, passed, measured, ...(cases === null ? {} : { meanOfCases: cases }) });
}

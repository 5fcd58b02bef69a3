import { expect, test } from 'vitest';

import { shownTrial } from './shown-trial.ts';

const passed = { number: 1, verdict: 'passed' } as const;
const failed = { number: 2, verdict: 'failed' } as const;

test('the chosen trial is shown, else the first that did not pass, else the first', () => {
  expect(shownTrial([passed, failed], '1')).toBe(passed);
  expect(shownTrial([passed, failed], undefined)).toBe(failed);
  expect(shownTrial([passed], '9')).toBe(passed);
  expect(shownTrial([], undefined)).toBeUndefined();
});

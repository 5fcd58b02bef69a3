import { expect, test } from 'vitest';

import { noEvidenceText } from '../../../src/app/exit-code.ts';
import { pageWords } from './page-words.ts';

const END = {
  state: 'completed',
  failing: 0,
  errored: 3,
  maxErrored: 1,
  resultsWritten: true,
  lacksShards: false,
} as const;

test('a page says why results are inconclusive without exit codes and flags', () => {
  const text = noEvidenceText({ ...END, stoppedByBudget: false, nothingMeasured: false }) ?? '';
  expect(text).toContain('exit code');
  expect(pageWords(text)).toBe('3 trials errored, but only 1 may, so the results are inconclusive.');
});

import { expect, test } from 'vitest';

import { pageWords } from './page-words.ts';

test('a page says why results are inconclusive without exit codes and flags', () => {
  expect(
    pageWords(
      '3 trials errored, but --max-errored tolerates only 1, so the results are inconclusive (exit code 3).',
    ),
  ).toBe('3 trials errored, but only 1 may, so the results are inconclusive.');
});

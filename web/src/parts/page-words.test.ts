import { expect, test } from 'vitest';

import { pageHint, pageWords } from './page-words.ts';

test('a page says why results are inconclusive without exit codes and flags', () => {
  expect(
    pageWords(
      '3 trials errored, but --max-errored tolerates only 1, so the results are inconclusive (exit code 3).',
    ),
  ).toBe('3 trials errored, but only 1 may, so the results are inconclusive.');
});

test('a page says what to do by its own controls', () => {
  expect([
    pageWords('invalid: 1 of 2 cases differ (allow it with --across case)'),
    pageWords('grade the older run again with assay grade, or allow it with --across grader'),
    pageWords('run them again with assay resume --retry errored, or allow more with --max-errored'),
    pageWords(
      'contains cases that failed or errored in r1 (--failed), so even an unchanged agent looks different',
    ),
  ]).toEqual([
    'invalid: 1 of 2 cases differ (tick “changed cases” above)',
    'grade the older run again, or tick “changed graders” above',
    'run them again',
    'contains cases that failed or errored in r1, so even an unchanged agent looks different',
  ]);
});

test('a hint loses the flags it offers, and is left out if only a terminal can follow it', () => {
  expect([
    pageHint('add `judge` to the config, the target or the evaluator, or use --judge; metrics need none'),
    pageHint('run with --repeat 5 or more'),
    pageHint('`assay cases list --status any` shows them'),
    pageHint('`GET /api/v1/test-cases` lists them'),
    pageHint('write y'),
    pageHint(undefined),
  ]).toEqual([
    'add `judge` to the config, the target or the evaluator; metrics need none',
    undefined,
    undefined,
    undefined,
    'write y',
    undefined,
  ]);
});

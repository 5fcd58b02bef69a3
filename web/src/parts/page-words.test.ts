import { expect, test } from 'vitest';

import { evidenceWords, pageHint } from './page-words.ts';

test('a page says why results are inconclusive without exit codes and flags', () => {
  const end = ', so the results are inconclusive';
  expect([
    evidenceWords(`3 trials errored, but --max-errored tolerates only 1${end} (exit code 3).`),
    evidenceWords(`1 trial errored, but --max-errored tolerates only 0${end} (exit code 3).`),
    evidenceWords(`The run was stopped before its end${end} (exit code 3).`),
  ]).toEqual([
    `3 trials errored, but only 1 may${end}.`,
    `1 trial errored, but only 0 may${end}.`,
    `The run was stopped before its end${end}.`,
  ]);
});

test('names in the reason stay as users gave them', () => {
  const named =
    'Target yes or --no (exit code 3) passed refund (--failed) with assay grade, which nobody can';
  expect(evidenceWords(`${named}, so the results are inconclusive (exit code 3).`)).toBe(
    `${named}, so the results are inconclusive.`,
  );
});

test('a hint loses the flags it offers, and is left out if only a terminal can follow it', () => {
  const judge = 'add `judge` to the config, the target or the evaluator';
  const metrics = 'with `judge: { metrics: [] }` only outcomes and criteria need one';
  const price = 'set models.acme.price to { input, output } in USD per million tokens';
  const free = 'for a free target, set `price: { input: 0, output: 0 }`';
  const turns = 'set `max_turns` in the case, `run.limits.maxTurns`';
  const assumed = '; the cost estimate assumes 4 turns';
  expect([
    pageHint(`${judge}, or use --judge`),
    pageHint(`${judge}, or use --judge; ${metrics}`),
    pageHint(`${price}, or use --allow-unknown-cost`),
    pageHint(`${free}; or use --allow-unknown-cost`),
    pageHint(`${turns} or \`--max-cost\`${assumed}`),
    pageHint('set `target`, or use --target'),
    pageHint('run more cases, or more repetitions (--repeat)'),
    pageHint('run with --repeat 5 or more'),
    pageHint('`assay cases list --status any` shows them'),
    pageHint('`GET /api/v1/test-cases` lists them'),
    pageHint('write y'),
    pageHint(undefined),
  ]).toEqual([
    judge,
    `${judge}; ${metrics}`,
    price,
    free,
    `${turns}${assumed}`,
    'set `target`',
    'run more cases',
    undefined,
    undefined,
    undefined,
    'write y',
    undefined,
  ]);
});

test('a name in a hint is shown whole or not at all', () => {
  const hints = [
    'did you mean yes or --no?',
    'did you mean "a or b--c"?',
    'set models.a or b--c.price (--x)',
  ];
  expect(hints.map(pageHint)).toEqual([undefined, 'did you mean "a or b--c"?', undefined]);
});

test('a long text is read at once', () => {
  const long = ' or a'.repeat(200_000);
  expect([pageHint(long), evidenceWords(long)]).toEqual([long, long]);
});

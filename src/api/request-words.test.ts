import { expect, test } from 'vitest';

import { flagOf, inRequestWords } from './request-words.ts';

test.each([
  ['set a price, or use --allow-unknown-cost', 'set a price, or use `"allow_unknown_cost": true`'],
  ['no price, so --max-cost cannot be enforced', 'no price, so `budget_usd` cannot be enforced'],
  [
    'add `--status any` to run the others; `assay cases list PATH --status any` lists them',
    'add "status": "any" in `select` to run the others; `GET /api/v1/test-cases?status=any` lists them',
  ],
  ['run with --repeat 3 or more', 'run with `repetitions` 3 or more'],
  ['no test case is selected by --tag-all a,b', 'no test case is selected by `select.tag_all` a,b'],
  ['--sets and --identity stay', '--sets and --identity stay'],
  ['no tag "--status" in --status any', 'no tag "--status" in "status": "any" in `select`'],
  ['judge: expected a mapping, got "a mapping"', 'judge: expected an object, got "a mapping"'],
  ['user.model: expected a text, got nothing', 'user.model: expected a text, got null'],
])('what the command line says becomes what a request says: %s', (command, request) => {
  expect(inRequestWords(command)).toBe(request);
});

test('a key of the request leads to its flag', () => {
  expect(['select.tag_any', 'budget_usd', 'nothing'].map(flagOf)).toEqual([
    '--tag-any',
    '--max-cost',
    undefined,
  ]);
});

import { expect, test } from 'vitest';

import { givesTrueOrFalse } from './true-or-false.ts';

test.each([
  'output.length < 400',
  "output.includes(vars.city) && calls('refund') === 0;",
  '!vars.x',
  "toolCalls.some(({ tool }) => tool === 'refund' ? 1 : 0)",
  'context?.vars?.city.startsWith("R") || false',
  'vars["city"] in output and not calls("refund")',
  'len(output) * 2 >= 4 or output is None',
  'all(word in output for word in vars["words"])',
])('%s is true or false', (text) => {
  expect(givesTrueOrFalse(text)).toBe(true);
});

test.each([
  'output.length / 1000',
  '0.5',
  "output.includes('a < b') * 0.5",
  'output.length < 9 ? 0.5 : 1',
  '0.5 if len(output) < 9 else 1',
  'output.length && vars.x === 1',
  '(output.length < 9) + 1',
  'vars.score ?? output.length > 1',
  'output.length < 9 | 4',
  'return output.length < 9',
  '({ pass: output.length < 9, score: 0.5 })',
  '((output) => output.length > 1 && 0.5)(output)',
  '1 >> 2',
  'lambda: output == 1',
  'output.length > 1, 0.5',
])('%s may be a number', (text) => {
  expect(givesTrueOrFalse(text)).toBe(false);
});

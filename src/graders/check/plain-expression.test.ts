import { expect, test } from 'vitest';

import { isPlainExpression } from './plain-expression.ts';

test.each([
  "output.includes('Tuesday')",
  'output.length < 400',
  "output.includes(vars.city) && calls('refund') === 0",
  '!output.toLowerCase().includes("sorry")',
  'output.trim() === expected;',
  "({ pass: output.length < 400, reason: 'too long' })",
  "output.split(' ').length <= 50 ? 1 : 0.5",
  "toolCalls.at(-1)?.tool !== 'refund' || vars['a b'] == null",
  "typeof vars.city === 'string' && (calls() > 0)",
  '(1 + output.length) % 2 === 0',
])('%s only reads its input', (text) => {
  expect(isPlainExpression(text)).toBe(true);
});

test.each([
  'while (true);',
  'return true',
  'process.exit(3)',
  "output.constructor.constructor('return process')().exit(3)",
  "output['constructor']('x')",
  "output?.['at']?.('x')",
  "(calls)('x')",
  "(output.includes)('x')",
  "vars.check('x')",
  '(() => { for (;;); })()',
  'toolCalls.every((call) => call.failed)',
  "'x'.repeat(1000000000)",
  "output.split('').join(output)",
  '10n ** 1000000000n > 1n',
  '2 ** 3 > 1',
  "vars.city = 'Oslo'",
  'vars.n += 1',
  'vars.n++ > 1',
  '++vars.n > 1',
  'vars.n <<= 2',
  'delete vars.n',
  'await fetch(output)',
  'this.constructor',
  'new Date() > 1',
  'globalThis.x',
  '/(a+)+$/.test(output)',
  'output.match(vars.pattern)',
  '`${process.exit()}`',
  'output.includes`x`',
  "\\u0070rocess.exit('x')",
  '({ get pass() { return true; } }).pass',
  '({ pass() { return true; } }).pass',
  '({ ...vars }).pass',
  "assert.equal(output, 'x')",
  "import('node:fs')",
  'output <!-- 1',
  'ａ.b',
  `output === '${'x'.repeat(1000)}'`,
])('%s may do more', (text) => {
  expect(isPlainExpression(text)).toBe(false);
});

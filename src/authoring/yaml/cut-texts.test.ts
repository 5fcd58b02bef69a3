import { expect, test } from 'vitest';

import { formatProblem } from '../../core/problem.ts';
import { cutTexts } from './cut-texts.ts';

function told(text: string): readonly string[] {
  const file = { path: '/a.eval.yaml', shown: 'a.eval.yaml', directory: '/', bytes: Buffer.from(text) };
  return cutTexts(file).map(formatProblem);
}

test('a text cut off before an order number is reported at the `#`, with the quoted text', () => {
  const text = 'tests:\n  - id: a\n    input: Where is order #12?\n  - input: order #7\n    criteria: fine\n';
  expect(told(text)).toEqual([
    'a.eval.yaml:3:27  text-after-comment  the text of `input` ends before `#12?`: YAML reads the rest of the line as a comment  (put the whole text in quotes: input: "Where is order #12?")',
    'a.eval.yaml:4:18  text-after-comment  the text of `input` ends before `#7`: YAML reads the rest of the line as a comment  (put the whole text in quotes: input: "order #7")',
  ]);
});

test.each([
  ['a comment that looks like one', 'input: order # the twelfth\n'],
  ['a text in quotes', 'input: "order #12"\ncriteria: \'order #12\'\n'],
  ['a mark inside a word', 'input: order#12\n'],
  ['a key without prose', 'timeout_ms: 100 #12\n'],
  [
    'a text of several lines',
    'tests:\n  - input: |\n      a\n        input: order #12\n      input: order #12\n',
  ],
  ['a folded text', '- criteria: >-\n    input: order #12\n'],
  ['a comment', '# input: order #12\n'],
])('%s is not reported', (_, text) => {
  expect(told(text)).toEqual([]);
});

test('at most twenty are reported per file', () => {
  expect(told('input: a #1\n'.repeat(1000)).length).toBe(20);
});

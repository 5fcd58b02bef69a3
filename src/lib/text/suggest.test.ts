import { expect, test } from 'vitest';

import { nearest } from './suggest.ts';

test.each([
  ['max_turn', ['max_turns', 'max_steps'], 'max_turns'],
  ['inputt', ['input', 'output'], 'input'],
  ['INPUT', ['output', 'input'], 'input'],
  ['x', ['y'], 'y'],
  ['zebra', ['input', 'output'], undefined],
  ['contain', ['contains_all', 'contains'], 'contains'],
  ['a', [], undefined],
  ['', ['id'], undefined],
  ['cil', ['cli', 'http'], 'cli'],
  ['agnet', ['agent', 'greeter'], 'agent'],
  ['valeu', ['ignore_case', 'value'], 'value'],
  ['on', ['no'], 'no'],
  ['lco', ['cli'], undefined],
])('%j among %j is %j', (word, candidates, expected) => {
  expect(nearest(word, candidates)).toBe(expected);
});

test('of two that are equally near the first is named', () => {
  expect(nearest('cat', ['car', 'can'])).toBe('car');
});

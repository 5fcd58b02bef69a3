import { expect, test } from 'vitest';

import type { ChangedLine } from '../../../../src/reading/line-changes.ts';
import { shownLines } from './shown-lines.ts';

const same = (count: number): readonly ChangedLine[] =>
  Array.from({ length: count }, (_, at) => ({ change: 'same', text: String(at) }));

test('three lines around a change are shown, and the others are counted', () => {
  const added: ChangedLine = { change: 'added', text: 'new' };
  const lines = [...same(5), added, ...same(4)];
  expect(shownLines(lines)).toEqual([2, ...lines.slice(2, 9), 1]);
});

test('without a change, no line is shown', () => {
  expect(shownLines(same(7))).toEqual([7]);
});

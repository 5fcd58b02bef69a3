import { expect, test } from 'vitest';

import type { Grade } from '../../../../src/core/grade.ts';
import { decidingText } from './deciding-text.ts';

const grades = [{ name: 'judge/outcome/Sent.', outcome: 'Sent.' } as Grade];

test('a trial that required parts failed says so', () => {
  expect(decidingText({ fallenGates: ['judge/outcome/Sent.'], grades })).toBe(
    'failed by a required part, whatever the score: Sent.',
  );
  expect(decidingText({ fallenGates: ['contains'], grades })).toBe(
    'failed by a required part, whatever the score: contains',
  );
  expect(decidingText({ fallenGates: ['a', 'b'], grades })).toBe(
    'failed by 2 required parts, whatever the score',
  );
  expect(decidingText({ fallenGates: [], grades })).toBeUndefined();
});

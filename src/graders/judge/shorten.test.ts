import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { lineText } from './fence.ts';
import { headAndTail } from './shorten.ts';

const sizeOf = (line: Parameters<typeof lineText>[0]): number => lineText(line, '\n').length;

test('short parts stay whole, the long one keeps its head and its tail', () => {
  const question = { name: 'question', lines: [{ label: 'question', value: 'why?' }] };
  const answer = {
    name: 'answer',
    lines: [{ label: 'answer', value: `${'a'.repeat(500)}${'z'.repeat(500)}` }],
  };
  const [kept, cut] = headAndTail([question, answer], 400, sizeOf);
  expect(kept).toBe(question);
  const [head, note, tail] = cut?.lines ?? [];
  expect(head?.value).toMatch(/^a{80,}$/);
  expect(tail?.value).toMatch(/^z{80,}$/);
  const shown = String(head?.value).length + String(tail?.value).length;
  expect(note).toEqual({ label: '(left out of answer)', value: `${1000 - shown} of 1000 characters` });
});

test('of a list, whole lines are left out in the middle', () => {
  const lines = Array.from({ length: 100 }, (_, i) => ({ label: `[${i}]`, value: `line ${i}` }));
  const [cut] = headAndTail([{ name: 'transcript', lines }], 400, sizeOf);
  const kept = cut?.lines ?? [];
  expect(kept[0]).toEqual(lines[0]);
  expect(kept.at(-1)).toEqual(lines.at(-1));
  expect(kept.find(({ label }) => label.startsWith('('))).toEqual({
    label: '(left out of transcript)',
    value: `${100 - (kept.length - 1)} of 100 lines`,
  });
});

test('the shortened material fits, from some hundred characters on', () => {
  const part = fc.record({
    name: fc.constant('part'),
    lines: fc.array(fc.record({ label: fc.constant('part'), value: fc.string({ maxLength: 400 }) }), {
      minLength: 1,
    }),
  });
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1200, max: 3000 }),
      (parts, budget) => {
        const kept = headAndTail(parts, budget, sizeOf);
        const size = kept.flatMap(({ lines }) => lines).reduce((sum, line) => sum + sizeOf(line) + 1, 0);
        expect(size).toBeLessThanOrEqual(budget);
      },
    ),
  );
});

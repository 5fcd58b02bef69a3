import { expect, test } from 'vitest';

import { timeText } from './times.ts';

test('a moment has seconds where another one would read the same', () => {
  const [one, other, later] = ['2026-11-28T16:26:18Z', '2026-11-28T16:26:40Z', '2026-11-28T16:28:40Z'];
  const texts = [
    timeText(one, [one, later, null]),
    timeText(one, [one, other, later]),
    timeText(other, [one, other]),
  ];
  expect(texts.map((text) => /:\d\d:(18|40)/.test(text))).toEqual([false, true, true]);
  expect(texts[0]).toBe(timeText(one));
});

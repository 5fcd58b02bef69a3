import { expect, test } from 'vitest';

import { lineQueue } from './line-queue.ts';

test('lines before the end are still written, later ones are dropped', async () => {
  const queue = lineQueue();
  queue.push('one');
  queue.close();
  queue.push('two');
  const written: string[] = [];
  for await (const line of queue.lines) written.push(line);
  expect(written).toEqual(['one\n']);
});

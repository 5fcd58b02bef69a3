import { expect, test } from 'vitest';

import { lineQueue } from './line-queue.ts';

test('what was said before the end is still written, and nothing that is said after it', async () => {
  const queue = lineQueue();
  queue.push('one');
  queue.close();
  queue.push('two');
  const written: string[] = [];
  for await (const line of queue.lines) written.push(line);
  expect(written).toEqual(['one\n']);
});

import { expect, onTestFinished, test, vi } from 'vitest';

import { heldTime } from '../../test/support/held-time.ts';
import { isOverForGood } from '../lib/process/live-processes.ts';
import { listenForInterrupts } from './interrupt.ts';

function listening() {
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const interrupt = listenForInterrupts();
  onTestFinished(() => {
    interrupt.release();
    told.mockRestore();
  });
  return interrupt;
}

test('what is in flight after Ctrl-C is abandoned after 10 s, and other programs may still be started', async () => {
  const goOn = heldTime();
  const { abandon } = listening();
  process.emit('SIGINT', 'SIGINT');
  await goOn(9_999);
  expect(abandon.aborted).toBe(false);
  await goOn(1);
  expect([abandon.aborted, isOverForGood()]).toEqual([true, false]);
});

test('a second Ctrl-C abandons what is in flight now, and no other program is started', () => {
  heldTime();
  const { abandon } = listening();
  process.emit('SIGINT', 'SIGINT');
  expect(abandon.aborted).toBe(false);
  process.emit('SIGINT', 'SIGINT');
  expect([abandon.aborted, isOverForGood()]).toEqual([true, true]);
});

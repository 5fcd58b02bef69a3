import { expect, onTestFinished, test, vi } from 'vitest';

import { listenForInterrupts } from './interrupt.ts';

function listening() {
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const interrupt = listenForInterrupts();
  onTestFinished(() => {
    interrupt.release();
    process.off('exit', process.listeners('exit').at(-1) as () => void);
    told.mockRestore();
  });
  return { interrupt, told };
}

test.each([
  ['nothing is written to it', true, 0],
  ['a log in its place is told', false, 1],
])('the end of the terminal stops the run like SIGTERM, and %s', (_, isTTY, times) => {
  const { interrupt, told } = listening();
  const before = process.stderr.isTTY;
  onTestFinished(() => void (process.stderr.isTTY = before));
  process.stderr.isTTY = isTTY;
  process.emit('SIGHUP', 'SIGHUP');
  expect({ by: interrupt.stoppedBy(), stops: interrupt.stop.aborted }).toEqual({
    by: 'SIGTERM',
    stops: true,
  });
  expect(told).toHaveBeenCalledTimes(times);
});

test('Ctrl-C stops the run and says what happens', () => {
  const { interrupt, told } = listening();
  process.emit('SIGINT', 'SIGINT');
  expect({ by: interrupt.stoppedBy(), abandons: interrupt.abandon.aborted }).toEqual({
    by: 'SIGINT',
    abandons: false,
  });
  expect(told.mock.calls).toEqual([
    ['\nStopping: no new trials are started, running trials get 10 s. Ctrl-C again ends them now.\n'],
  ]);
});

test.each(['SIGTERM', 'SIGHUP'] as const)('%s is named, because no key was pressed', (signal) => {
  const { interrupt, told } = listening();
  const before = process.stderr.isTTY;
  onTestFinished(() => void (process.stderr.isTTY = before));
  process.stderr.isTTY = false;
  process.emit(signal, signal);
  expect(interrupt.stoppedBy()).toBe('SIGTERM');
  expect(told.mock.calls).toEqual([
    [
      `\nStopping on ${signal}: no new trials are started, running trials get 10 s. Another signal ends them now.\n`,
    ],
  ]);
});

test('a terminal that can no longer be written to ends nothing', () => {
  listening();
  const gone = Object.assign(new Error('write EIO'), { code: 'EIO' });
  expect(process.stderr.emit('error', gone)).toBe(true);
  expect(process.stdout.emit('error', gone)).toBe(true);
});

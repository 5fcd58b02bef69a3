import type { TurnEnd, Yielded } from '../../core/target.ts';
import { lineSplitter, type Line } from '../../lib/process/lines.ts';
import { readEntryLine } from './entry-lines.ts';
import { runProgram, type Execution } from './run-program.ts';

/** Yields entries while a program prints them. Throws at an invalid line, which ends the program. */
export async function* streamEntries(
  execution: Execution,
  stop: AbortController,
  onStart: (work: Promise<unknown>) => void,
): AsyncGenerator<Yielded, TurnEnd> {
  const ready: Yielded[] = [];
  const lines = lineSplitter(execution.maxOutputBytes);
  let end: TurnEnd = {};
  let count = 0;
  let isOver = false;
  let wake = (): void => {};

  const take = (found: readonly Line[]): void => {
    try {
      for (const { text } of found) {
        count += 1;
        const line = readEntryLine(text, count);
        if (line === undefined) continue;
        if ('entry' in line) ready.push(line.entry);
        else end = { ended: line.ended };
      }
    } catch (error) {
      stop.abort(error);
    }
    wake();
  };

  const work = run();
  onStart(work);
  work.catch(() => {});
  for (;;) {
    for (let entry = ready.shift(); entry !== undefined; entry = ready.shift()) yield entry;
    if (isOver) break;
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (isOver || ready.length > 0) resolve();
    });
  }
  await work;
  return end;

  async function run(): Promise<void> {
    try {
      const onStdout = (chunk: Uint8Array): void => {
        if (!stop.signal.aborted) take(lines.push(chunk));
      };
      const printed = await runProgram({ ...execution, onStdout }, stop.signal);
      take(lines.end());
      await printed.keep();
      stop.signal.throwIfAborted();
    } finally {
      isOver = true;
      wake();
    }
  }
}

import { createReadStream } from 'node:fs';

import type { RunEvent } from '../../core/run.ts';

/** The complete lines of a file, in batches; a torn last line is no line. A missing file has none. */
export async function* readLines(path: string): AsyncGenerator<readonly string[]> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 })) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      yield lines;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** The events of a log with a higher sequence than `after`. */
export async function* readEvents(path: string, after = 0): AsyncGenerator<RunEvent> {
  for await (const lines of readLines(path)) {
    for (const line of lines) {
      if (line === '') continue;
      const event = JSON.parse(line) as RunEvent;
      if (event.sequence > after) yield event;
    }
  }
}

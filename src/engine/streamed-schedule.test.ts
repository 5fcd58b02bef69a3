import { expect, test } from 'vitest';

import type { Row } from '../core/run.ts';
import { runSchedule } from './run-schedule.ts';
import { sceneOf } from './fixtures/trial-context.ts';
import type { PlannedTrial } from './trial-context.ts';
import { streamedSchedule } from './streamed-schedule.ts';

const { trial, context } = sceneOf();

/** Trials that tell `diary` when they are made. */
async function* trials(count: number, diary: string[]): AsyncGenerator<PlannedTrial> {
  try {
    for (let number = 1; number <= count; number++) {
      diary.push(`made ${number}`);
      yield { ...trial, number };
    }
  } finally {
    diary.push('closed');
  }
}

async function ran(source: AsyncIterable<PlannedTrial>, diary: string[], stop = new AbortController()) {
  await using schedule = streamedSchedule(source);
  return await runSchedule({
    schedule,
    context,
    runOne: async ({ number }) => {
      diary.push(`ran ${number}`);
      if (number === 2) stop.abort();
      return { passed: true } as Row;
    },
    concurrency: 1,
    failFast: false,
    control: { stop: stop.signal, abandon: new AbortController().signal },
  });
}

test('trials are made one by one as there is room, and the run is complete with the last', async () => {
  const diary: string[] = [];
  expect(await ran(trials(1, diary), diary)).toBe('completed');
  expect(diary).toEqual(['made 1', 'ran 1', 'closed']);
  expect(await ran(trials(0, []), [])).toBe('completed');
});

test('a run that is stopped asks for no more, and lets go of where they come from', async () => {
  const diary: string[] = [];
  expect(await ran(trials(9, diary), diary)).toBe('interrupted');
  expect(diary).toEqual(['made 1', 'ran 1', 'made 2', 'ran 2', 'closed']);
});

test('a source that breaks ends the run with its error', async () => {
  const diary: string[] = [];
  async function* broken() {
    yield* trials(1, diary);
    throw new Error('cannot be read');
  }
  await expect(ran(broken(), diary)).rejects.toThrow('cannot be read');
  expect(diary).toEqual(['made 1', 'ran 1', 'closed']);
});

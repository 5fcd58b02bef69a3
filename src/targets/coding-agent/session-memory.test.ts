import { expect, test } from 'vitest';

import type { Yielded } from '../../core/target.ts';
import { newMemory, remembered, type StepBegan } from './session-memory.ts';

const began = (step: number): StepBegan => ({ type: 'step-began', step });
const says = (step: number): Yielded => ({
  type: 'message',
  role: 'assistant',
  parts: [{ text: 'hi' }],
  step,
});

test('steps of a later turn continue after steps without entries', async () => {
  const memory = newMemory();
  const told: (number | undefined)[] = [];
  for (const items of [
    [began(1), says(1), began(2)],
    [began(1), says(1)],
  ]) {
    memory.stepsBefore = memory.steps;
    const turn = (async function* () {
      yield* items;
    })();
    for await (const entry of remembered(turn, memory, (step) => void told.push(step))) told.push(entry.step);
  }
  expect(told).toEqual([1, 1, 2, 3, 3]);
});

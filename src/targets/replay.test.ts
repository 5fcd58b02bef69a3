import { expect, test } from 'vitest';

import { ask, servicesOf, worldOf } from '../../test/contracts/target.ts';
import type { Transcript } from '../core/transcript.ts';
import { replay } from './replay.ts';

const { signal } = new AbortController();
const at = '2025-01-01T00:00:00.000Z';

const stored: Transcript = [
  { id: 'e1', at, turn: 1, type: 'message', role: 'user', parts: [{ text: 'q1' }] },
  { id: 'e2', at, turn: 2, step: 1, type: 'tool-call', callId: 'c', name: 'look', input: {} },
  { id: 'e3', at, turn: 2, type: 'tool-result', callId: 'c', output: 5 },
  { id: 'e4', at, turn: 2, step: 2, type: 'message', role: 'assistant', parts: [{ text: 'a1' }] },
  { id: 'e5', at, turn: 2, type: 'usage', inputTokens: 1, outputTokens: 2, totalTokens: 3 },
  { id: 'e6', at, turn: 3, type: 'message', role: 'user', parts: [{ text: 'q2' }] },
  { id: 'e7', at, turn: 4, type: 'message', role: 'assistant', parts: [{ text: 'a2' }] },
  { id: 'e8', at, turn: 5, type: 'message', role: 'user', parts: [{ text: 'q3' }] },
];

function targetOver(transcript: Transcript | undefined, asked: unknown[] = []) {
  return replay.create(
    { run: 'latest#bot' },
    servicesOf({
      storedRun: async (reference) => {
        asked.push(reference);
        return {
          transcript: async (id) => {
            asked.push(id);
            return transcript;
          },
        };
      },
    }),
  );
}

test('each turn yields the entries of that turn of the stored trial', async () => {
  const asked: unknown[] = [];
  const target = targetOver(stored, asked);
  await target.prepare?.(signal);
  const session = await target.open(worldOf({ caseId: 'x', repetition: 2 }), signal);
  expect(asked).toEqual(['latest#bot', { suite: 'suite', caseId: 'x', repetition: 2 }]);
  expect((await ask(session, 'q1')).entries).toEqual([
    { step: 1, type: 'tool-call', callId: 'c', name: 'look', input: {} },
    { type: 'tool-result', callId: 'c', output: 5 },
    { step: 2, type: 'message', role: 'assistant', parts: [{ text: 'a1' }] },
  ]);
  expect((await ask(session, 'q2')).entries).toEqual([
    { type: 'message', role: 'assistant', parts: [{ text: 'a2' }] },
  ]);
});

test('a turn that the stored agent never answered is errored, not empty', async () => {
  const session = await targetOver(stored).open(worldOf(), signal);
  await ask(session, 'q1');
  await ask(session, 'q2');
  for (const turn of [3, 4]) {
    await expect(ask(session, 'q')).rejects.toMatchObject({
      kind: 'target-unavailable',
      transient: false,
      message: `the stored transcript in latest#bot has no answer in turn ${turn}`,
    });
  }
});

test('a trial that the run does not hold is errored', async () => {
  await expect(targetOver(undefined).open(worldOf({ caseId: 'gone' }), signal)).rejects.toMatchObject({
    stage: 'target',
    kind: 'target-unavailable',
    transient: false,
    message: 'the run latest#bot has no transcript for repetition 1 of suite/gone',
  });
});

import { expect, test } from 'vitest';

import { MeasurementError } from '../core/errors.ts';
import type { ModelAnswer } from '../core/model.ts';
import { simulatedUser, type AuditMode } from './simulated.ts';

const answer = {
  text: JSON.stringify({ message: 'Where is my parcel?', done: false, reason: null, note: null }),
} as Pick<ModelAnswer, 'text'> as ModelAnswer;

/** A user whose second opinion cannot be had. */
const userWith = (audit: AuditMode) =>
  simulatedUser({
    plan: { type: 'simulated' },
    history: [],
    firstSpeaker: 'user',
    audit,
    ask: async () => answer,
    judge: () =>
      Promise.reject(new MeasurementError('the judge is gone', { stage: 'user', kind: 'simulator' })),
  });

const { signal } = new AbortController();

test('a failed audit is a flag in report mode, and an error in enforce mode', async () => {
  expect(await userWith('report').next([], signal)).toEqual({
    message: { parts: [{ text: 'Where is my parcel?' }] },
    flags: ['not-audited'],
    note: 'not-audited: the judge is gone',
  });
  await expect(userWith('enforce').next([], signal)).rejects.toThrow('the judge is gone');
  expect(await userWith('off').next([], signal)).toEqual({
    message: { parts: [{ text: 'Where is my parcel?' }] },
  });
});

test('facts in the person’s earlier messages are known facts', async () => {
  const line = { message: 'As I said, ORD-4711.', done: false, reason: null, note: null };
  const user = simulatedUser({
    plan: { type: 'simulated' },
    history: [
      { role: 'user', parts: [{ text: 'My order is ORD-4711.' }] },
      { role: 'assistant', parts: [{ text: 'Which order is it?' }] },
    ],
    firstSpeaker: 'user',
    audit: 'enforce',
    ask: async () => ({ ...answer, text: JSON.stringify(line) }),
  });
  expect(await user.next([], signal)).toEqual({ message: { parts: [{ text: 'As I said, ORD-4711.' }] } });
});

test('an unusable recorded message is asked for again', async () => {
  const live = ['no line', 'none either', answer.text];
  const kept = new Map<string, ModelAnswer>();
  const user = simulatedUser({
    plan: { type: 'simulated' },
    history: [],
    firstSpeaker: 'user',
    audit: 'off',
    ask: async ({ messages, isUsable }) => {
      const key = JSON.stringify(messages);
      const known = kept.get(key);
      if (known !== undefined && isUsable?.(known) !== false) return known;
      const fresh = { ...answer, text: live.shift() ?? '' };
      kept.set(key, fresh);
      return fresh;
    },
  });
  await expect(user.next([], signal)).rejects.toThrow(
    'the simulated user gave no usable message in two attempts: the answer was not a single JSON object with message, done, reason and note',
  );
  expect(await user.next([], signal)).toEqual({ message: { parts: [{ text: 'Where is my parcel?' }] } });
});

test('a model whose answer cannot be read was reached', async () => {
  const failing = (detail: 'malformed-answer' | 'cut-off') =>
    simulatedUser({
      plan: { type: 'simulated' },
      history: [],
      firstSpeaker: 'user',
      audit: 'off',
      ask: () => Promise.reject(new MeasurementError('p/m: no', { stage: 'user', kind: 'contract', detail })),
    });
  await expect(failing('malformed-answer').next([], signal)).rejects.toThrow(
    'the model of the simulated user gave an invalid answer: p/m: no',
  );
  await expect(failing('cut-off').next([], signal)).rejects.toThrow(
    'the model of the simulated user could not be reached: p/m: no',
  );
});

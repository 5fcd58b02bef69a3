import { expect, test } from 'vitest';

import type { Subject } from '../core/grade.ts';
import type { TranscriptEntry } from '../core/transcript.ts';
import { usageOf } from '../core/usage.ts';
import { caseOf } from './fixtures/suites.ts';
import { subjectAfter } from './subject-after.ts';

const entry = (id: string, turn: number, body: object) =>
  ({ id, at: '2026-01-01T00:00:00.000Z', turn, ...body }) as TranscriptEntry;

const transcript = [
  entry('e1', 1, { type: 'message', role: 'user', parts: [{ text: 'a' }] }),
  entry('e2', 2, { type: 'message', role: 'assistant', parts: [{ text: 'first' }] }),
  entry('e3', 2, { type: 'usage', ...usageOf(10, 1), costUsd: 0.5 }),
  entry('e4', 3, { type: 'message', role: 'user', parts: [{ text: 'b' }] }),
  entry('e5', 4, { type: 'message', role: 'assistant', parts: [{ text: 'second' }] }),
  entry('e6', 4, { type: 'usage', ...usageOf(20, 2), costUsd: 0.25 }),
];

const subject: Subject = {
  case: caseOf('x'),
  target: 'bot',
  runId: 'run',
  transcript,
  answer: 'second',
  measures: {
    durationMs: 30,
    latency: [10, 20],
    turns: 2,
    steps: 2,
    usage: usageOf(30, 3),
    costUsd: 0.75,
  },
};

test('after an earlier line everything is as it stood then', () => {
  expect(subjectAfter(subject, 1)).toEqual({
    ...subject,
    transcript: transcript.slice(0, 3),
    answer: 'first',
    measures: { durationMs: 10, latency: [10], turns: 1, steps: 1, usage: usageOf(10, 1), costUsd: 0.5 },
  });
});

test('after the last line it is the whole', () => {
  expect(subjectAfter(subject, 2)).toBe(subject);
});

test('a line that was never answered has no subject', () => {
  expect(subjectAfter(subject, 3)).toBe(undefined);
});

test('money of which a part is not told is unknown, not 0', () => {
  const untold = transcript.map((each) => {
    const { costUsd: _, ...rest } = each as TranscriptEntry & { costUsd?: number };
    return rest as TranscriptEntry;
  });
  expect(subjectAfter({ ...subject, transcript: untold }, 1)?.measures.costUsd).toBe(null);
});

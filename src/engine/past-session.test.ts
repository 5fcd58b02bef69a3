import { describe, expect, test } from 'vitest';

import { AssayError } from '../core/errors.ts';
import type { Subject } from '../core/grade.ts';
import type { Row } from '../core/run.ts';
import type { PastSession } from '../core/target.ts';
import type { Transcript } from '../core/transcript.ts';
import { expects, sceneOf, type SceneOptions } from './fixtures/trial-context.ts';
import { runTrial } from './run-trial.ts';

const AT = '2025-05-05T05:05:05.000Z';

const transcript: Transcript = [
  { id: 'e1', at: AT, turn: 1, type: 'message', role: 'user', parts: [{ text: 'hello' }] },
  { id: 'e7', at: AT, turn: 2, step: 3, type: 'message', role: 'assistant', parts: [{ text: 'hi' }] },
];

const row: Row = {
  number: 5,
  suite: 's',
  caseId: 'x',
  target: 'bot',
  repetition: 1,
  attempts: [{ durationMs: 3 }, { durationMs: 4 }],
  verdict: 'failed',
  status: 'failed',
  passed: false,
  score: 0,
  threshold: 0.5,
  fallenGates: ['old'],
  ungraded: 1,
  failureClass: { id: 'old' },
  end: { by: 'user' },
  flags: ['odd'],
  notes: ['noted then'],
  grades: [],
  output: 'hi',
  durationMs: 7,
  latency: [2],
  turns: 1,
  steps: 3,
  usage: { agent: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } },
  costUsd: { agent: 0.25, user: null, judge: 9 },
  tags: ['as it was'],
  digests: { case: 1, target: 2 },
  hermetic: true,
  startedAt: AT,
  endedAt: AT,
  artifactDir: '../other/trials/x',
};

/** Grades a session of another run. */
async function graded(past: PastSession, options: SceneOptions = {}) {
  const session = { past, respond: () => expect.unreachable(), async [Symbol.asyncDispose]() {} };
  const scene = sceneOf({
    trial: { number: 5, earlier: past.row.attempts.slice(0, -1), digests: { case: 8, target: 2 } },
    target: { open: async () => session },
    retryInfrastructure: 0,
    ...options,
  });
  const signal = new AbortController().signal;
  return { scene, row: await runTrial(scene.trial, scene.context, signal) };
}

describe('a session of another run', () => {
  test('is graded as it was: only what graders decide is new', async () => {
    const subjects: Subject[] = [];
    const judge = async (subject: Subject) => {
      subjects.push(subject);
      return [{ score: 1, reason: 'good now', costUsd: 0.5 }];
    };
    const { scene, row: now } = await graded(
      { row, transcript, note: 'the case was edited' },
      { testCase: { expectations: [expects('fine')] }, graders: { fine: { grade: judge } } },
    );
    const { ungraded: _, failureClass: __, ...kept } = row;
    expect(now).toEqual({
      ...kept,
      verdict: 'passed',
      status: 'passed',
      passed: true,
      score: 1,
      threshold: 0.8,
      fallenGates: [],
      grades: [expect.objectContaining({ name: 'fine', score: 1 })],
      notes: ['noted then', 'the case was edited'],
      digests: { case: 8, target: 2 },
      costUsd: { agent: 0.25, user: null, judge: 0.5 },
    });
    expect(subjects).toMatchObject([
      {
        transcript,
        answer: 'hi',
        measures: { durationMs: 2, latency: [2], turns: 1, steps: 3, costUsd: 0.25 },
      },
    ]);
    expect(scene.told.map(({ attempt, fact }) => [attempt, fact])).toMatchObject([
      [undefined, { type: 'trial-start', number: 5 }],
      [2, { type: 'attempt-start' }],
      [2, { type: 'transcript-entry', entry: transcript[0] }],
      [2, { type: 'transcript-entry', entry: transcript[1] }],
      [2, { type: 'model-usage', role: 'judge', costUsd: 0.5 }],
      [2, { type: 'grade' }],
      [2, { type: 'attempt-end', durationMs: 4 }],
      [2, { type: 'trial-end' }],
    ]);
  });

  const target = { stage: 'target', kind: 'timeout', code: 'timeout', message: 'too slow' } as const;
  test.each<[string, Partial<Row>]>([
    ['errored before it was graded', { verdict: 'errored', status: 'errored', score: null, error: target }],
    ['was cancelled', { verdict: 'cancelled', status: 'cancelled', score: null }],
    ['was skipped', { verdict: 'skipped', status: 'skipped', score: null, skipped: 'skip', attempts: [] }],
  ])('that %s stays what it was, and asks no grader', async (_, came) => {
    const past = { row: { ...row, ...came }, transcript };
    const { scene, row: now } = await graded(past, {
      graders: { fine: { grade: () => expect.unreachable() } },
    });
    expect([now, scene.facts('grade')]).toEqual([past.row, []]);
  });

  test('that cannot be graded is errored, and says why', async () => {
    const ungradable = new AssayError('case-missing', 'no such case', { stage: 'grading', hint: 'name it' });
    const { row: now } = await graded({ row, transcript, ungradable });
    expect(now).toMatchObject({
      verdict: 'errored',
      score: null,
      grades: [],
      output: 'hi',
      error: {
        stage: 'grading',
        kind: 'grader',
        code: 'case-missing',
        message: 'no such case',
        hint: 'name it',
      },
    });
  });

  test('whose graders failed then is graded now', async () => {
    const grading = { stage: 'grading', kind: 'grader', code: 'grader', message: 'no judge' } as const;
    const past = {
      row: { ...row, verdict: 'errored', status: 'errored', error: grading } as const,
      transcript,
    };
    expect((await graded(past)).row).toMatchObject({ verdict: 'passed', score: 1 });
    expect((await graded(past)).row?.error).toBeUndefined();
  });
});

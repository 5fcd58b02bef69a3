import { describe, expect, test } from 'vitest';

import type { Finding, Grader, Subject } from '../core/grade.ts';
import type { Expectation } from '../core/test-case.ts';
import { given } from '../lib/given.ts';
import { expects, graderOf, until } from './fixtures/trial-context.ts';
import { caseOf } from './fixtures/suites.ts';
import { gradeTrial } from './grade-trial.ts';

const signal = new AbortController().signal;

function subjectOf(expectations: readonly Expectation[]): Subject {
  return {
    case: caseOf('x', { expectations }),
    target: 'bot',
    runId: 'run',
    transcript: [],
    answer: '',
    measures: { durationMs: 0, turns: 0, steps: 0, costUsd: null },
  };
}

async function gradesOf(graders: Readonly<Record<string, Grader>>, digests: readonly number[] = []) {
  const subject = subjectOf(Object.keys(graders).map((name) => expects(name)));
  const graderFor = ({ name }: Expectation) => graders[name] as Grader;
  const grades = await gradeTrial(subject, { graderFor, digests, signal });
  return grades.map(({ name, score, reason, digest }) => ({
    name,
    score,
    reason,
    ...given({ digest }),
  }));
}

describe('gradeTrial', () => {
  test('runs all graders in parallel and keeps the written order', async () => {
    const answers: Record<string, (findings: readonly Finding[]) => void> = {};
    const waiting = (name: string): Grader => ({
      grade: () => new Promise((resolve) => (answers[name] = resolve)),
    });
    const work = gradesOf({ a: waiting('a'), b: waiting('b') }, [4, 5]);
    await until(() => Object.keys(answers).length === 2);
    answers['b']?.([{ score: 0, reason: 'no' }]);
    answers['a']?.([{ score: 1, reason: 'yes' }]);
    expect(await work).toEqual([
      { name: 'a', score: 1, reason: 'yes', digest: 4 },
      { name: 'b', score: 0, reason: 'no', digest: 5 },
    ]);
  });

  test('one grader may find several things', async () => {
    const several = graderOf([
      { score: 0.5, reason: 'whole' },
      { part: 'one', score: 1, reason: 'part', required: 0.8 },
    ]);
    expect(await gradesOf({ a: several, b: graderOf([{ score: 1, reason: 'b' }]) }, [1, 2])).toEqual([
      { name: 'a', score: 0.5, reason: 'whole', digest: 1 },
      { name: 'a/one', score: 1, reason: 'part', digest: 1 },
      { name: 'b', score: 1, reason: 'b', digest: 2 },
    ]);
  });

  test('a grader that throws is undecided, and the others are heard', async () => {
    expect(
      await gradesOf({ a: graderOf(new Error('boom')), b: graderOf([{ score: 1, reason: 'b' }]) }),
    ).toEqual([
      { name: 'a', score: null, reason: 'could not be decided: boom' },
      { name: 'b', score: 1, reason: 'b' },
    ]);
  });

  test('a grader that finds nothing is undecided: leaving it out would raise the score', async () => {
    expect(await gradesOf({ a: graderOf([]) })).toEqual([
      { name: 'a', score: null, reason: 'could not be decided: the grader returned no result' },
    ]);
  });

  test('gives the subject and the signal on', async () => {
    const heard: unknown[] = [];
    const subject = subjectOf([expects('a')]);
    const grader: Grader = {
      grade: async (...supplied) => {
        heard.push(...supplied);
        return [{ score: 1, reason: '' }];
      },
    };
    await gradeTrial(subject, { graderFor: () => grader, digests: [], signal });
    expect(heard).toEqual([subject, signal]);
  });
});

describe('an expectation of one line', () => {
  const said = (turn: number, role: 'user' | 'assistant', text: string) =>
    ({ type: 'message', id: `e${turn}`, at: '', turn, role, parts: [{ text }] }) as const;
  const subject: Subject = {
    ...subjectOf([
      expects('first', { afterLine: 1 }),
      expects('whole'),
      expects('never', { afterLine: 3, negate: true }),
    ]),
    transcript: [
      said(1, 'user', 'a'),
      said(2, 'assistant', 'b'),
      said(3, 'user', 'c'),
      said(4, 'assistant', 'd'),
    ],
    answer: 'd',
    measures: { durationMs: 0, turns: 2, steps: 2, costUsd: null },
  };

  test('that fails quotes the answer it is about, since reports show the last one', async () => {
    const graderFor = (): Grader => ({ grade: async () => [{ score: 0, reason: 'no', evidence: [known] }] });
    const known = { text: 'k', passed: false };
    const grades = await gradeTrial(subject, { graderFor, digests: [], signal });
    expect(grades.map(({ name, evidence }) => ({ name, evidence }))).toEqual([
      { name: 'first', evidence: [known, { text: 'the answer was: b', passed: false, turns: [2] }] },
      { name: 'whole', evidence: [known] },
      { name: 'never', evidence: undefined },
    ]);
  });

  test('sees the answer to that line, and fails when the conversation ended before, also the other way round', async () => {
    const graderFor = (): Grader => ({ grade: async ({ answer }) => [{ score: 1, reason: answer }] });
    const grades = await gradeTrial(subject, { graderFor, digests: [], signal });
    expect(grades.map(({ name, score, reason }) => ({ name, score, reason }))).toEqual([
      { name: 'first', score: 1, reason: 'b' },
      { name: 'whole', score: 1, reason: 'd' },
      { name: 'never', score: 0, reason: 'the conversation ended before line 3 of the user was answered' },
    ]);
  });
});

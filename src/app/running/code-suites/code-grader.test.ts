import { AssertionError } from 'node:assert/strict';

import { expect, test } from 'vitest';

import type { CodeCase } from '../../../core/code-suite.ts';
import type { Subject } from '../../../core/grade.ts';
import { decide } from '../../../core/verdict.ts';
import type { GraderServices } from '../../../core/plugin.ts';
import { codeGrader, reportOfSubject } from './code-grader.ts';
import { classOfError, originOf } from './failure-class.ts';

const grader = graderWith(() => {});

function graderWith(assert: CodeCase['assert']) {
  return codeGrader({
    hooks: () => ({ id: 'a', prompt: 'p', assert }),
    assertTimeoutMs: 1000,
    hasJudge: false,
    runnerOf: (id) => ({ id, pathKey: id, agent: { type: 'mock', model: '' } }),
    expectationOf: () => {
      throw new Error('not asked');
    },
  }).create({ suite: 's', case: 'a' }, {} as GraderServices);
}

test('a transcript of which no report can be made is an error of the target, not of the hook', async () => {
  const { signal } = new AbortController();
  const broken = {
    get type(): never {
      throw new Error('odd entry');
    },
  };
  const subject = {
    case: { input: [{ role: 'user', parts: [{ text: 'p' }] }] },
    target: 'bot',
    transcript: [broken],
    measures: { durationMs: 1 },
  } as unknown as Subject;
  const [finding] = await grader.grade(subject, signal);
  if (finding === undefined) throw new Error('there is no finding');
  const { error } = decide(
    [{ name: 'assert', type: 'code', passed: false, weight: 1, durationMs: 1, ...finding }],
    0.8,
  );
  expect(error).toMatchObject({
    stage: 'target',
    kind: 'normalization',
    message: 'assert: the session report could not be created: odd entry',
  });
  expect(error && [originOf(error), classOfError(error)]).toEqual([
    'normalization',
    { id: 'normalization', label: 'Report normalization' },
  ]);
});

test('a report names no stored workspace that secrets were taken out of', () => {
  const workspaceOf = (redacted: object) => {
    const subject = {
      case: { input: [{ role: 'user', parts: [{ text: 'p' }] }] },
      target: 'bot',
      transcript: [],
      measures: { durationMs: 1 },
      workspace: { directory: '/kept', changes: async () => [], ...redacted },
    } as unknown as Subject;
    const agent = { type: 'mock', model: '' } as const;
    return reportOfSubject(subject, { id: 'bot', pathKey: 'bot', agent }).workspace;
  };
  expect([workspaceOf({}), workspaceOf({ redacted: ['.env'] })]).toEqual([{ directory: '/kept' }, undefined]);
});

test('a hook that needs a workspace that was not kept gets a clear error', async () => {
  const looking = graderWith(({ workspace }) => void (workspace as { directory: string }).directory);
  const subject = {
    case: { input: [{ role: 'user', parts: [{ text: 'p' }] }], workspace: {} },
    target: 'bot',
    transcript: [],
    measures: { durationMs: 1 },
  } as unknown as Subject;
  const [finding] = await looking.grade(subject, new AbortController().signal);
  expect(finding?.score).toBe(null);
  expect(finding?.reason).toMatch(
    /TypeError.*\(the kept workspace differs from what the agent left; run the case again\)/,
  );
});

test('the reason of a failed assertion is a text, even if its message is not', async () => {
  const strange = graderWith(() => {
    throw Object.assign(new AssertionError({ message: 'no' }), { message: 42 });
  });
  const subject = {
    case: { input: [{ role: 'user', parts: [{ text: 'p' }] }] },
    target: 'bot',
    transcript: [],
    measures: { durationMs: 1 },
  } as unknown as Subject;
  expect(await strange.grade(subject, new AbortController().signal)).toMatchObject([
    { score: 0, reason: 'AssertionError [ERR_ASSERTION]: 42' },
  ]);
});

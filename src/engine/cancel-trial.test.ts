import { describe, expect, test } from 'vitest';

import { MeasurementError, RunCancelled } from '../core/errors.ts';
import type { Finding, Grader } from '../core/grade.ts';
import {
  brokenTurn,
  expects,
  hangingTurn,
  says,
  sceneOf,
  targetOf,
  workspaceOf,
  type SceneOptions,
} from './fixtures/trial-context.ts';
import { runTrial } from './run-trial.ts';

/** Runs a trial that is cancelled when its context says so. */
function cancellable(options: (cancel: () => void) => SceneOptions) {
  const controller = new AbortController();
  const scene = sceneOf(options(() => controller.abort(new RunCancelled())));
  return { scene, run: () => runTrial(scene.trial, scene.context, controller.signal) };
}

const judged: Finding = { score: 1, reason: 'fine', usage: usageOf(10), costUsd: 0.5 };

function usageOf(tokens: number) {
  return { inputTokens: tokens, outputTokens: 0, totalTokens: tokens };
}

describe('a trial that is cancelled', () => {
  test('while its agent is at work keeps its transcript, is not judged, and everything is put away', async () => {
    const diary: string[] = [];
    const asked: string[] = [];
    const { scene, run } = cancellable((cancel) => ({
      target: targetOf(
        [
          async function* (...turn) {
            yield says('half an answer');
            cancel();
            return yield* hangingTurn()(...turn);
          },
        ],
        diary,
      ),
      graders: { fine: { grade: async () => (asked.push('fine'), [judged]) } },
      context: {
        workspaces: { prepare: async () => workspaceOf(diary) },
        conclude: async ({ decision }) => (asked.push('conclude'), { decision }),
      },
    }));
    const row = await run();
    expect(row).toEqual({
      number: 1,
      suite: 's',
      caseId: 'x',
      target: 'bot',
      repetition: 1,
      attempts: [{ durationMs: expect.any(Number) as number }],
      verdict: 'cancelled',
      status: 'cancelled',
      passed: false,
      score: null,
      threshold: 0.8,
      fallenGates: [],
      grades: [],
      output: 'half an answer',
      durationMs: expect.any(Number) as number,
      turns: 1,
      steps: 1,
      usage: {},
      costUsd: {},
      tags: [],
      digests: { case: 3, target: 4 },
      startedAt: expect.any(String) as string,
      endedAt: expect.any(String) as string,
    });
    expect([diary, asked]).toEqual([
      ['respond to a message', 'dispose', 'end processes', 'release cancelled'],
      [],
    ]);
    expect(scene.told.map(({ fact }) => fact.type)).toEqual([
      'trial-start',
      'attempt-start',
      'transcript-entry',
      'transcript-entry',
      'attempt-end',
      'trial-end',
    ]);
  });

  test('while it is judged asks no further judge, and tells what those before have cost', async () => {
    const asked: string[] = [];
    const twice = (cancel: () => void): Grader => ({
      async grade(_, signal) {
        asked.push('first');
        cancel();
        if (!signal.aborted) asked.push('second');
        return [judged];
      },
    });
    const { scene, run } = cancellable((cancel) => ({ graders: { fine: twice(cancel) } }));
    expect(await run()).toMatchObject({
      verdict: 'cancelled',
      grades: [],
      output: 'hi',
      usage: { judge: usageOf(10) },
      costUsd: { judge: 0.5 },
    });
    expect([asked, scene.facts('grade'), scene.facts('model-usage').length]).toEqual([['first'], [], 1]);
  });

  test('before anything was prepared is cancelled as well', async () => {
    const { run } = cancellable((cancel) => ({
      context: {
        workspaces: {
          prepare: async (_, __, signal) => {
            cancel();
            signal.throwIfAborted();
            return undefined;
          },
        },
      },
    }));
    expect(await run()).toMatchObject({ verdict: 'cancelled', turns: 0, output: null });
  });

  test('while it waits to be tried again keeps its attempt, and is not tried again', async () => {
    const unreachable = new MeasurementError('gone', {
      stage: 'target',
      kind: 'target-unavailable',
      transient: true,
    });
    const { scene, run } = cancellable((cancel) => ({
      target: targetOf([brokenTurn([], unreachable)]),
      context: { conclude: async ({ decision }) => (cancel(), { decision }) },
    }));
    const row = await run();
    expect(row).toMatchObject({ verdict: 'cancelled', attempts: [{ error: { message: 'gone' } }] });
    expect([row?.error, scene.facts('attempt-start').length]).toEqual([undefined, 1]);
  });

  test('once its verdict is made keeps it', async () => {
    const diary: string[] = [];
    const { run } = cancellable((cancel) => ({
      testCase: { expectations: [expects('fine')] },
      graders: { fine: { grade: async () => [{ score: 0, reason: 'not good' }] } },
      context: {
        workspaces: { prepare: async () => workspaceOf(diary) },
        conclude: async ({ decision }) => (cancel(), { decision }),
      },
    }));
    expect([await run(), diary]).toMatchObject([
      { verdict: 'failed', score: 0 },
      ['end processes', 'capture', 'end processes', 'release failed'],
    ]);
  });
});

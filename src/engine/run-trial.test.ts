import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { timeOf } from '../../test/support/held-time.ts';
import { MeasurementError } from '../core/errors.ts';
import type { Grader } from '../core/grade.ts';
import type { Row } from '../core/run.ts';
import type { Session, Target, World, Yielded } from '../core/target.ts';
import { usageOf } from '../core/usage.ts';
import type { Workspaces } from '../core/workspace.ts';
import type { JsonValue } from '../lib/json.ts';
import {
  brokenTurn,
  expects,
  graderOf,
  hangingTurn,
  message,
  says,
  sceneOf,
  sessionOf,
  targetOf,
  turnOf,
  until,
  userOf,
  workspaceOf,
  type Scene,
  type SceneOptions,
} from './fixtures/trial-context.ts';
import { runTrial } from './run-trial.ts';
import { skipTrial } from './skip-trial.ts';

const never = new AbortController().signal;
const anyMs = expect.any(Number) as number;

async function rowOf(options: SceneOptions): Promise<Row & { readonly scene: Scene }> {
  const scene = sceneOf(options);
  const row = await runTrial(scene.trial, scene.context, never);
  if (row === undefined) throw new Error('the trial has no end');
  const last = scene.told.at(-1);
  expect(last).toMatchObject({ at: row.endedAt, trial: scene.trial.key, attempt: row.attempts.length });
  expect(last?.fact).toEqual({ type: 'trial-end', row });
  return { ...row, scene };
}

const down = (overrides: Partial<ConstructorParameters<typeof MeasurementError>[1]> = {}) =>
  new MeasurementError('down', {
    stage: 'target',
    kind: 'target-unavailable',
    transient: true,
    retryAfterMs: 0,
    ...overrides,
  });

/** Workspaces that tell `diary`. */
const workspacesOf = (diary: string[], overrides: Parameters<typeof workspaceOf>[1] = {}): Workspaces => ({
  prepare: async () => {
    diary.push('prepare');
    return workspaceOf(diary, overrides);
  },
});

/** A grader that tells `diary`, then finds this score. */
const gradingIn = (diary: string[], score: number | null): Grader => ({
  grade: async () => {
    diary.push('grade');
    return [{ score, reason: 'so' }];
  },
});

describe('a trial that is measured', () => {
  test('lasts from when its workspace was there: others may have worked in it', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const prepare = async () => {
      vi.advanceTimersByTime(60_000);
      return workspaceOf([], {});
    };
    const { durationMs, attempts } = await rowOf({ context: { workspaces: { prepare } } });
    expect([durationMs, attempts]).toEqual([0, [{ durationMs: 0 }]]);
  });

  test('has a row that says everything about it', async () => {
    const { scene, ...row } = await rowOf({
      testCase: { tags: ['smoke'], notes: ['from the loader'] },
      target: targetOf([
        turnOf([says('hi'), { type: 'usage', ...usageOf(5, 2), costUsd: 0.5 }], { notes: ['warm'] }),
      ]),
      context: { isHermetic: (target) => target === 'bot' },
    });
    expect(row).toEqual({
      number: 1,
      suite: 's',
      caseId: 'x',
      target: 'bot',
      repetition: 1,
      attempts: [{ durationMs: anyMs }],
      verdict: 'passed',
      status: 'passed',
      passed: true,
      score: 1,
      threshold: 0.8,
      fallenGates: [],
      end: { by: 'script' },
      notes: ['from the loader', 'warm'],
      grades: [
        {
          name: 'fine',
          type: 'contains',
          score: 1,
          passed: true,
          weight: 1,
          reason: 'it is',
          durationMs: anyMs,
          digest: 0,
        },
      ],
      output: 'hi',
      durationMs: anyMs,
      latency: [anyMs],
      turns: 1,
      steps: 1,
      usage: { agent: usageOf(5, 2) },
      costUsd: { agent: 0.5 },
      tags: ['smoke'],
      digests: { case: 3, target: 4 },
      hermetic: true,
      startedAt: '2026-01-01T00:00:01.000Z',
      endedAt: scene.told.at(-1)?.at,
    });
  });

  test('tells what happens in the order in which it happens', async () => {
    const { scene } = await rowOf({});
    expect(scene.told.map(({ fact, attempt }) => [fact.type, attempt])).toEqual([
      ['trial-start', undefined],
      ['attempt-start', 1],
      ['transcript-entry', 1],
      ['transcript-entry', 1],
      ['grade', 1],
      ['attempt-end', 1],
      ['trial-end', 1],
    ]);
    expect(new Set(scene.told.map(({ trial }) => trial))).toEqual(new Set(['s/x/bot/r1']));
    expect(scene.told.map(({ at }) => at)).toEqual(scene.told.map(({ at }) => at).toSorted());
  });

  test('tells notes, what the user spent and the name of the session', async () => {
    const spent = { usage: usageOf(3, 1), model: 'some/model', costUsd: 0.25 };
    const uses = [spent, { usage: usageOf(1, 1), costUsd: null }] as const;
    const user = userOf([{ ...message('1'), note: 'polite' }, message('2')]);
    const { scene, ...row } = await rowOf({
      target: targetOf([turnOf([says('hi')], { sessionId: 's-1', notes: ['warm'] }), turnOf([says('x')])]),
      context: {
        userFor: (_, told) => {
          for (const use of uses) told.spent({ type: 'model-usage', role: 'user', ...use });
          return user;
        },
        workspaces: workspacesOf([], { release: async () => ({ warnings: ['not removed'] }) }),
      },
    });
    const told = [...scene.facts('note'), ...scene.facts('model-usage'), ...scene.facts('attempt-end')];
    expect(told).toEqual([
      { type: 'note', text: 'polite' },
      { type: 'note', text: 'warm' },
      { type: 'note', text: 'not removed' },
      { type: 'model-usage', role: 'user', ...spent },
      { type: 'model-usage', role: 'user', usage: usageOf(1, 1), costUsd: null },
      { type: 'attempt-end', durationMs: anyMs, sessionId: 's-1' },
    ]);
    expect(row).toMatchObject({
      notes: ['polite', 'warm', 'not removed'],
      usage: { user: usageOf(4, 2) },
      costUsd: { user: null },
    });
  });

  test('gives the target its identity, history and marker, and never an expectation', async () => {
    const history = [{ role: 'system', parts: [{ text: 'be kind' }] }] as const;
    const input = [...history, { role: 'user', parts: [{ text: 'hello' }] }] as const;
    const secret = {
      criteria: 'canary-1',
      expectedOutput: [{ role: 'assistant', parts: [{ text: 'canary-2' }] }],
    } as const;
    const { scene } = await rowOf({
      testCase: { input, ...secret, sidecar: { note: 'canary-3' }, expectations: [expects('canary-4')] },
    });
    const [world] = scene.worlds;
    expect(world).toMatchObject({
      trial: {
        runId: 'run',
        key: 's/x/bot/r1',
        attempt: 1,
        suite: 's',
        caseId: 'x',
        target: 'bot',
        repetition: 1,
        seed: 7,
      },
      history,
      marker: 'marker-1',
    });
    expect(world).not.toHaveProperty('workspace');
    expect(JSON.stringify(world)).not.toContain('canary');
  });

  test('ends the session before the changes of the workspace are captured, grades after that, and releases at last', async () => {
    const diary: string[] = [];
    await rowOf({
      target: targetOf([turnOf([says('hi')])], diary),
      graders: { fine: gradingIn(diary, 1) },
      context: { workspaces: workspacesOf(diary) },
    });
    expect(diary).toEqual([
      'prepare',
      'respond to a message',
      'dispose',
      'end processes',
      'capture',
      'grade',
      'end processes',
      'release passed',
    ]);
  });

  test.each<[string, boolean, number, Partial<Row>]>([
    ['passed', false, 1, { verdict: 'passed', status: 'passed', passed: true }],
    ['failed', false, 0.5, { verdict: 'failed', status: 'failed', passed: false }],
    ['expected to fail, and does', true, 0.5, { verdict: 'failed', status: 'expected-failed', passed: true }],
    [
      'expected to fail, and does not',
      true,
      1,
      { verdict: 'passed', status: 'unexpected-passed', passed: false },
    ],
  ])('is %s', async (_, expectedFail, score, expected) => {
    expect(
      await rowOf({ testCase: { expectedFail }, graders: { fine: graderOf([{ score, reason: '' }]) } }),
    ).toMatchObject(expected);
  });

  test('runs once even if it fails, and is never repeated until it passes', async () => {
    const { attempts, verdict } = await rowOf({
      graders: { fine: graderOf([{ score: 0, reason: '' }]) },
      retryInfrastructure: 5,
    });
    expect({ attempts: attempts.length, verdict }).toEqual({ attempts: 1, verdict: 'failed' });
  });

  test('has no output when nothing was answered', async () => {
    expect(await rowOf({ target: targetOf([turnOf([], { ended: {} })]) })).toMatchObject({
      output: null,
      end: { by: 'agent' },
      usage: {},
      costUsd: {},
    });
  });

  test('of a paid agent that reports no cost has an unknown cost', async () => {
    const scene = sceneOf({ target: targetOf([turnOf([says('x')])]) });
    const settingsFor: Scene['context']['settingsFor'] = (testCase, target) => ({
      ...scene.context.settingsFor(testCase, target),
      isPaid: true,
    });
    const row = await runTrial(scene.trial, { ...scene.context, settingsFor }, never);
    expect(row?.costUsd).toEqual({ agent: null });
    const closed = { open: () => Promise.reject(new Error('no such program')) };
    const unasked = await runTrial(
      scene.trial,
      { ...scene.context, settingsFor, target: async () => closed },
      never,
    );
    expect(unasked?.costUsd).toEqual({});
  });

  test('says which limits could not be watched', async () => {
    const limits = { maxTokens: 100, maxCostUsd: 1 };
    expect(await rowOf({ limits })).toMatchObject({ unenforced: ['maxTokens', 'maxCostUsd'] });
    const unpriced = targetOf([turnOf([says('x'), { type: 'usage', ...usageOf(1, 1) }])]);
    expect(await rowOf({ limits, target: unpriced })).toMatchObject({
      unenforced: ['maxCostUsd'],
      costUsd: { agent: null },
    });
    const priced = targetOf([turnOf([says('x'), { type: 'usage', ...usageOf(1, 1), costUsd: 0 }])]);
    expect(await rowOf({ limits, target: priced })).not.toHaveProperty('unenforced');
    const costOnly = { type: 'usage', costUsd: 0.5 } as const;
    const uncounted = targetOf([
      turnOf([says('x'), costOnly, { type: 'usage', ...usageOf(1, 1), costUsd: 0 }]),
    ]);
    expect(await rowOf({ limits, target: uncounted })).toMatchObject({
      unenforced: ['maxTokens'],
      costUsd: { agent: 0.5 },
    });
  });

  /** Begins so many steps, and says something in the last of them. */
  const stepping = (steps: number): Target => ({
    open: async (world) =>
      sessionOf([
        async function* () {
          for (let step = 1; step <= steps; step++) world.stepBegan?.(step);
          yield { ...says('hi'), step: steps };
          return {};
        },
      ]),
  });

  test('counts every step of its agent once, whether or not an entry tells of it', async () => {
    const target = stepping(3);
    expect(await rowOf({ target, limits: { maxSteps: 3 } })).toMatchObject({ verdict: 'passed', steps: 3 });
    expect(await rowOf({ target, limits: { maxSteps: 2 } })).toMatchObject({
      verdict: 'errored',
      limit: { kind: 'max-steps', ceiling: 2, reached: 3 },
      steps: 3,
    });
  });

  test('shows its graders also the files that its session left at its end', async () => {
    const turn = turnOf([says('hi')], { artifacts: ['stdout.log'] });
    const open = async (world: World): Promise<Session> => ({
      ...sessionOf([turn]),
      [Symbol.asyncDispose]: async () => world.leftFile?.('export.json'),
    });
    const seen: unknown[] = [];
    const fine: Grader = {
      grade: async ({ session }) => {
        seen.push(session?.files);
        return [{ score: 1, reason: 'so' }];
      },
    };
    await rowOf({ target: { open }, graders: { fine } });
    expect(seen).toEqual([['/none/stdout.log', '/none/export.json']]);
  });

  test('names where files and a kept workspace are, and what went wrong when it was put away', async () => {
    const release = async () => ({ keptAt: '/kept', warnings: ['teardown exited with 1'] });
    const row = await rowOf({
      context: {
        workspaces: workspacesOf([], { release }),
        artifacts: () => ({
          directory: () => '/a',
          scratch: () => '/scratch',
          takeOver: () => {},
          write: () => Promise.resolve(),
          stream: () => ({ write: () => {}, end: () => {} }),
          close: () => Promise.resolve({ directory: 'trials/x/attempt-1', notes: ['big.bin was not kept'] }),
        }),
      },
    });
    expect(row).toMatchObject({
      verdict: 'passed',
      artifactDir: 'trials/x/attempt-1',
      workspacePath: '/kept',
      notes: ['teardown exited with 1', 'big.bin was not kept'],
    });
  });
});

describe('a trial that could not be measured', () => {
  interface Rows {
    readonly options: (diary: string[]) => SceneOptions;
    readonly error: Row['error'];
    readonly diary: readonly string[];
    readonly more?: Partial<Row>;
  }
  const boom = new Error('boom');
  const at = (
    stage: 'workspace' | 'target' | 'user' | 'grading',
    kind: NonNullable<Row['error']>['kind'],
    text = 'boom',
  ) => ({ stage, kind, code: kind, message: text }) as const;
  const start = ['prepare', 'respond to a message'];

  test.each<[string, Rows]>([
    [
      'the workspace cannot be prepared',
      {
        options: () => ({ context: { workspaces: { prepare: () => Promise.reject(boom) } } }),
        error: at('workspace', 'workspace-setup'),
        diary: [],
        more: { output: null, turns: 0 },
      },
    ],
    [
      'the workspace says itself why it cannot be prepared',
      {
        options: () => ({
          context: {
            workspaces: {
              prepare: () =>
                Promise.reject(
                  new MeasurementError('gone', { stage: 'workspace', kind: 'workspace-template' }),
                ),
            },
          },
        }),
        error: at('workspace', 'workspace-template', 'gone'),
        diary: [],
      },
    ],
    [
      'the target is not available',
      {
        options: (diary) => ({
          context: {
            workspaces: workspacesOf(diary),
            target: () => Promise.reject(down({ transient: false })),
          },
        }),
        error: at('target', 'target-unavailable', 'down'),
        diary: ['prepare', 'end processes', 'release errored'],
      },
    ],
    [
      'the session does not open',
      {
        options: (diary) => ({
          context: { workspaces: workspacesOf(diary) },
          target: { open: () => Promise.reject(boom) },
        }),
        error: at('target', 'runner-crash'),
        diary: ['prepare', 'end processes', 'release errored'],
      },
    ],
    [
      'the session does not open, and there is no workspace to blame',
      {
        options: () => ({ target: { open: () => Promise.reject(boom) } }),
        error: at('target', 'runner-crash'),
        diary: [],
      },
    ],
    [
      'the session breaks in the middle of an answer',
      {
        options: (diary) => ({
          context: { workspaces: workspacesOf(diary) },
          target: targetOf([brokenTurn([says('so far')], boom)], diary),
        }),
        error: at('target', 'runner-crash'),
        diary: [...start, 'dispose', 'end processes', 'release errored'],
        more: { output: 'so far', turns: 1, grades: [] },
      },
    ],
    [
      'the user breaks',
      {
        options: (diary) => ({
          context: { workspaces: workspacesOf(diary) },
          target: targetOf([turnOf([says('hi')])], diary),
          user: {
            speaksFirst: true,
            next: (seen) => (seen.length === 0 ? Promise.resolve(message('a')) : Promise.reject(boom)),
          },
        }),
        error: at('user', 'simulator'),
        diary: [...start, 'dispose', 'end processes', 'release errored'],
        more: { output: 'hi' },
      },
    ],
    [
      'there is no user for the case',
      {
        options: (diary) => ({
          context: {
            workspaces: workspacesOf(diary),
            userFor: () => {
              throw new MeasurementError('no persona', { stage: 'user', kind: 'simulator' });
            },
          },
          target: targetOf([turnOf([])], diary),
        }),
        error: at('user', 'simulator', 'no persona'),
        diary: ['prepare', 'dispose', 'end processes', 'release errored'],
      },
    ],
    [
      'the session cannot be put away',
      {
        options: (diary) => ({
          context: { workspaces: workspacesOf(diary) },
          target: {
            open: async () => ({
              ...sessionOf([turnOf([says('hi')])], diary),
              [Symbol.asyncDispose]: () => Promise.reject(boom),
            }),
          },
        }),
        error: at('target', 'runner-crash'),
        diary: [...start, 'end processes', 'release errored'],
      },
    ],
    [
      'the changes of the workspace cannot be captured',
      {
        options: (diary) => ({
          context: { workspaces: workspacesOf(diary, { capture: () => Promise.reject(boom) }) },
          target: targetOf([turnOf([says('hi')])], diary),
        }),
        error: at('workspace', 'workspace-setup'),
        diary: [...start, 'dispose', 'end processes', 'end processes', 'release errored'],
      },
    ],
    [
      'a grader throws',
      {
        options: (diary) => ({
          context: { workspaces: workspacesOf(diary) },
          target: targetOf([turnOf([says('hi')])], diary),
          graders: { fine: graderOf(boom) },
        }),
        error: at('grading', 'grader', 'fine: could not be decided: boom'),
        diary: [...start, 'dispose', 'end processes', 'capture', 'end processes', 'release errored'],
        more: { output: 'hi', end: { by: 'script' } },
      },
    ],
    [
      'a grader cannot be made',
      {
        options: (diary) => ({
          context: {
            workspaces: workspacesOf(diary),
            graderFor: () => {
              throw boom;
            },
          },
        }),
        error: at('grading', 'grader', 'fine: could not be decided: boom'),
        diary: ['prepare', 'end processes', 'capture', 'end processes', 'release errored'],
      },
    ],
  ])(
    'because %s is errored there, and everything is put away',
    async (_, { options, error, diary, more }) => {
      const told: string[] = [];
      const { scene, ...row } = await rowOf({ ...options(told), retryInfrastructure: 0 });
      expect({ error: row.error, diary: told }).toEqual({ error, diary });
      expect(row).toMatchObject({
        verdict: 'errored',
        status: 'errored',
        passed: false,
        score: null,
        ...more,
      });
      expect(row.attempts).toEqual([{ durationMs: anyMs, error }]);
      expect(scene.facts('attempt-end')).toEqual([{ type: 'attempt-end', durationMs: anyMs, error }]);
    },
  );

  test('is errored, whether or not it was expected to fail', async () => {
    const options = { testCase: { expectedFail: true }, target: { open: () => Promise.reject(boom) } };
    expect(await rowOf(options)).toMatchObject({ verdict: 'errored', status: 'errored', passed: false });
  });

  test('because a ceiling was met has a limit and no end, keeps what was said and asks no grader', async () => {
    const diary: string[] = [];
    const row = await rowOf({
      target: targetOf([hangingTurn([says('wait')], false)], diary),
      limits: { timeoutMs: 20 },
      graders: { fine: gradingIn(diary, 1) },
      retryInfrastructure: 3,
    });
    expect(row).toMatchObject({
      verdict: 'errored',
      error: { stage: 'target', kind: 'timeout' },
      limit: { kind: 'timeout', ceiling: 20, reached: anyMs },
      output: 'wait',
      grades: [],
    });
    expect(row).not.toHaveProperty('end');
    expect(row.attempts).toHaveLength(1);
    expect(diary).toEqual(['respond to a message', 'dispose']);
  });

  test('says what went wrong first, also when the session cannot be put away after that', async () => {
    const open = async (): Promise<Session> => ({
      ...sessionOf([hangingTurn()]),
      [Symbol.asyncDispose]: () => Promise.reject(new Error('cannot kill it')),
    });
    expect(await rowOf({ target: { open }, limits: { timeoutMs: 15 } })).toMatchObject({
      error: { stage: 'target', kind: 'timeout' },
      limit: { kind: 'timeout', ceiling: 15 },
    });
  });

  test('ends a session that opens after its time', async () => {
    const diary: string[] = [];
    let open: (session: Session) => void = () => {};
    const target = { open: () => new Promise<Session>((resolve) => (open = resolve)) };
    expect(await rowOf({ target, limits: { timeoutMs: 15 } })).toMatchObject({ error: { kind: 'timeout' } });
    open(sessionOf([turnOf([])], diary));
    await until(() => diary.length > 0);
    expect(diary).toEqual(['dispose']);
  });

  test('has every grade, and is errored by the one that could not be decided', async () => {
    const { grades, fallenGates, verdict } = await rowOf({
      testCase: { expectations: [expects('gate', { required: 1 }), expects('broken'), expects('fine')] },
      graders: { gate: graderOf([{ score: 0, reason: 'no' }]), broken: graderOf(boom) },
    });
    expect({ names: grades.map(({ name, score }) => [name, score]), fallenGates, verdict }).toEqual({
      names: [
        ['gate', 0],
        ['broken', null],
        ['fine', 1],
      ],
      fallenGates: ['gate'],
      verdict: 'errored',
    });
  });
});

describe('another attempt', () => {
  /** A target whose first sessions fail to open with these errors, one after the other. */
  const failing = (...errors: readonly unknown[]) => {
    let opened = 0;
    return {
      open: async () => {
        const error = errors[opened++];
        if (error !== undefined) throw error;
        return sessionOf([turnOf([says('hi')])]);
      },
    };
  };

  test('is made after an error of the infrastructure, and both are on the row', async () => {
    const diary: string[] = [];
    const { scene, ...row } = await rowOf({
      target: failing(down()),
      context: { workspaces: workspacesOf(diary) },
    });
    const error = {
      stage: 'target',
      kind: 'target-unavailable',
      code: 'target-unavailable',
      message: 'down',
    };
    expect(row).toMatchObject({ verdict: 'passed', attempts: [{ error }, { durationMs: anyMs }] });
    expect(row.attempts[1]).toEqual({ durationMs: anyMs });
    expect(row).not.toHaveProperty('error');
    expect(scene.told.map(({ fact, attempt }) => `${fact.type} ${attempt ?? ''}`)).toEqual([
      'trial-start ',
      'attempt-start 1',
      'attempt-end 1',
      'attempt-start 2',
      'transcript-entry 2',
      'transcript-entry 2',
      'grade 2',
      'attempt-end 2',
      'trial-end 2',
    ]);
    expect(scene.worlds.map(({ trial, marker }) => [trial.attempt, marker])).toEqual([
      [1, 'marker-1'],
      [2, 'marker-2'],
    ]);
    expect(diary).toEqual([
      'prepare',
      'end processes',
      'release errored',
      'prepare',
      'end processes',
      'capture',
      'end processes',
      'release passed',
    ]);
  });

  test('leaves what the failed one spent and noted on the row', async () => {
    const turns = [
      turnOf([says('one'), { type: 'usage', ...usageOf(5, 2), costUsd: 0.5 }], { notes: ['cold', 'same'] }),
      turnOf([says('two'), { type: 'usage', ...usageOf(7, 3), costUsd: 0.25 }], { notes: ['warm', 'same'] }),
    ];
    const diary: string[] = [];
    const fails = [true, false];
    const row = await rowOf({
      target: { open: async (...given) => targetOf([turns.shift() ?? turnOf([])]).open(...given) },
      context: {
        workspaces: {
          prepare: async () => {
            const isFailing = fails.shift() === true;
            return {
              ...workspaceOf(diary, {}),
              capture: async () => {
                if (isFailing) throw down({ stage: 'workspace', kind: 'workspace-setup' });
              },
            };
          },
        },
      },
    });
    expect({ verdict: row.verdict, attempts: row.attempts.length }).toEqual({
      verdict: 'passed',
      attempts: 2,
    });
    expect({ usage: row.usage, costUsd: row.costUsd, notes: row.notes }).toEqual({
      usage: { agent: usageOf(12, 5) },
      costUsd: { agent: 0.75 },
      notes: ['cold', 'same', 'warm'],
    });
  });

  test.each([
    ['once by default', 1, 2],
    ['never when told so', 0, 1],
    ['as often as told', 3, 4],
  ])('is made %s', async (_, retryInfrastructure, attempts) => {
    const row = await rowOf({
      target: failing(...Array.from({ length: 9 }, () => down())),
      retryInfrastructure,
    });
    expect({ verdict: row.verdict, attempts: row.attempts.length }).toEqual({ verdict: 'errored', attempts });
  });

  test.each([
    ['a timeout', down({ kind: 'timeout', transient: false })],
    ['an error that is no matter of infrastructure', down({ kind: 'contract', transient: false })],
    ['a crash', new Error('boom')],
  ])('is not made after %s', async (_, error) => {
    expect((await rowOf({ target: failing(error), retryInfrastructure: 3 })).attempts).toHaveLength(1);
  });

  test('waits as long as the other side asks', async () => {
    expect(await timeOf(() => rowOf({ target: failing(down({ retryAfterMs: 30 })) }))).toBe(30);
  });

  test('counts on from the attempts of an earlier process', async () => {
    const earlier = [
      { durationMs: 1000, error: { stage: 'target', kind: 'timeout', code: 'timeout', message: 'm' } },
    ] as const;
    const { scene, attempts, durationMs } = await rowOf({ trial: { earlier } });
    expect(attempts).toEqual([...earlier, { durationMs: anyMs }]);
    expect(durationMs).toBeGreaterThanOrEqual(1000);
    expect(scene.worlds.map(({ trial }) => trial.attempt)).toEqual([2]);
  });

  test('starts with a new user and an empty transcript', async () => {
    let opened = 0;
    const target = {
      open: async () =>
        sessionOf(opened++ === 0 ? [turnOf([says('old')]), brokenTurn([], down())] : [turnOf([says('new')])]),
    };
    const row = await rowOf({
      target,
      context: { userFor: () => userOf([message('1'), message('2')]) },
    });
    expect(row).toMatchObject({ verdict: 'passed', turns: 2, output: 'new' });
    expect(row.latency).toHaveLength(2);
  });
});

describe('an abandoned trial', () => {
  /** Abandons the run as soon as `when` holds, and gives back what the trial came to. */
  async function abandoned(options: SceneOptions, when: (scene: Scene) => boolean) {
    const abandon = new AbortController();
    const scene = sceneOf(options);
    const work = runTrial(scene.trial, scene.context, abandon.signal);
    await until(() => when(scene));
    abandon.abort(new Error('enough'));
    return { row: await work, facts: scene.told.map(({ fact }) => fact.type) };
  }

  const entries = ({ facts }: Scene) => facts('transcript-entry').length;

  test.each([
    ['listens to the signal', true],
    ['does not listen', false],
  ])('has no end, and its workspace is released as cancelled: an agent that %s', async (_, listens) => {
    const diary: string[] = [];
    const options = {
      target: targetOf([hangingTurn([says('wait')], listens)], diary),
      context: { workspaces: workspacesOf(diary) },
    };
    const { row, facts } = await abandoned(options, (scene) => entries(scene) === 2);
    expect({ row, facts }).toEqual({
      row: undefined,
      facts: ['trial-start', 'attempt-start', 'transcript-entry', 'transcript-entry'],
    });
    expect(diary).toEqual([
      'prepare',
      'respond to a message',
      'dispose',
      'end processes',
      'release cancelled',
    ]);
  });

  test('does not wait for a target that is never prepared', async () => {
    const diary: string[] = [];
    const context = { workspaces: workspacesOf(diary), target: () => new Promise<never>(() => {}) };
    const { row } = await abandoned({ context }, () => diary.length > 0);
    expect({ row, diary }).toEqual({
      row: undefined,
      diary: ['prepare', 'end processes', 'release cancelled'],
    });
  });

  test('makes no other attempt', async () => {
    const target = { open: () => Promise.reject(down({ retryAfterMs: 60_000 })) };
    const { row, facts } = await abandoned({ target }, (scene) => scene.facts('attempt-end').length > 0);
    expect({ row, facts }).toEqual({
      row: undefined,
      facts: ['trial-start', 'attempt-start', 'attempt-end'],
    });
  });

  test('that was abandoned before it began opens no session', async () => {
    const diary: string[] = [];
    const scene = sceneOf({ target: targetOf([turnOf([])], diary) });
    expect(await runTrial(scene.trial, scene.context, AbortSignal.abort(new Error('enough')))).toBe(
      undefined,
    );
    expect(diary).toEqual([]);
  });
});

test('a skipped trial has a row, and opens no session', async () => {
  const scene = sceneOf({ testCase: { tags: ['t'] } });
  const row = await skipTrial(scene.trial, scene.context, { kind: 'dependency', reason: 'depends on "a"' });
  expect(row).toEqual({
    number: 1,
    suite: 's',
    caseId: 'x',
    target: 'bot',
    repetition: 1,
    attempts: [],
    verdict: 'skipped',
    status: 'skipped',
    passed: false,
    score: null,
    threshold: 0.8,
    fallenGates: [],
    skipped: 'dependency',
    notes: ['depends on "a"'],
    grades: [],
    output: null,
    durationMs: 0,
    turns: 0,
    steps: 0,
    usage: {},
    costUsd: {},
    tags: ['t'],
    digests: { case: 3, target: 4 },
    startedAt: row.endedAt,
    endedAt: '2026-01-01T00:00:01.000Z',
  });
  expect(scene.told).toEqual([{ at: row.endedAt, trial: 's/x/bot/r1', fact: { type: 'trial-end', row } }]);
});

describe('a value that is nested too deep', () => {
  const deep = (): JsonValue => JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) as JsonValue;
  const told = 'levels deep; at most 500 levels are accepted';

  test('errors the trial when the target gives it, and stands nowhere in the row', async () => {
    const entries: readonly Yielded[] = [
      { type: 'message', role: 'assistant', parts: [{ json: deep() }] },
      { type: 'tool-call', callId: '1', name: 'a', input: deep() },
      { type: 'tool-result', callId: '1', output: deep() },
    ];
    for (const entry of entries) {
      const { verdict, error, output, grades } = await rowOf({ target: targetOf([turnOf([entry])]) });
      expect([verdict, output, grades]).toEqual(['errored', null, []]);
      expect(error).toMatchObject({ stage: 'target', kind: 'contract' });
      expect(error?.message).toContain(told);
    }
  });

  test('is a grade that could not be decided when a grader gives it', async () => {
    const graders = { fine: graderOf([{ score: 1, reason: 'yes', details: deep() }]) };
    const { verdict, error, grades } = await rowOf({ graders });
    expect([verdict, error?.stage, grades.length]).toEqual(['errored', 'grading', 1]);
    expect(grades[0]).toMatchObject({ score: null, passed: false });
    expect(grades[0]?.reason).toContain(told);
  });
});

test('an unexpected error makes only its own trial errored and does not reject', async () => {
  const conversation = turnOf([says('hi')]);
  const row = await rowOf({
    target: targetOf([conversation]),
    context: {
      artifacts: () => {
        throw new RangeError('Maximum call stack size exceeded');
      },
    },
  });
  const error = {
    stage: 'log',
    kind: 'contract',
    code: 'contract',
    message: 'Maximum call stack size exceeded',
  };
  expect([row.verdict, row.status, row.error, row.attempts]).toEqual([
    'errored',
    'errored',
    error,
    [{ durationMs: 0, error }],
  ]);
});

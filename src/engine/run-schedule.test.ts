import { describe, expect, test } from 'vitest';

import type { Row } from '../core/run.ts';
import type { TestCase } from '../core/test-case.ts';
import type { Workspaces } from '../core/workspace.ts';
import { runSchedule, type RunScheduleOptions } from './run-schedule.ts';
import {
  graderOf,
  hangingTurn,
  message,
  says,
  sceneOf,
  targetOf,
  until,
  userOf,
  workspaceOf,
} from './fixtures/trial-context.ts';
import { caseOf, planOf, suiteOf } from './fixtures/suites.ts';
import type { TrialContext } from './trial-context.ts';
import { runTrial } from './run-trial.ts';
import { createSchedule } from './schedule.ts';

interface Stage {
  readonly work: ReturnType<typeof runSchedule>;
  readonly rows: readonly Row[];
  /** Cases whose target is asked right now. */
  readonly inFlight: ReadonlySet<string>;
  /** The most trials there were at once. */
  readonly most: () => number;
  readonly finish: (caseId: string) => void;
  readonly stop: AbortController;
  readonly cancel: AbortController;
  readonly abandon: AbortController;
}

interface StageOptions extends Partial<Pick<RunScheduleOptions, 'concurrency' | 'failFast'>> {
  readonly context?: Partial<TrialContext>;
  /** Whether answers wait until `finish`. */
  readonly held?: boolean;
}

/** Runs cases whose id says what they come to: `fails...`, `breaks...`, else passed. */
function stageOf(cases: readonly TestCase[], options: StageOptions = {}): Stage {
  const rows: Row[] = [];
  const inFlight = new Set<string>();
  const waiting = new Map<string, () => void>();
  let most = 0;
  const scene = sceneOf();
  const plan = planOf([suiteOf('s', cases)]);
  const open = (caseId: string) =>
    targetOf([
      async function* (signal) {
        inFlight.add(caseId);
        most = Math.max(most, inFlight.size);
        if (options.held === true) await new Promise<void>((resolve) => waiting.set(caseId, resolve));
        inFlight.delete(caseId);
        if (caseId.startsWith('breaks')) throw new Error('boom');
        signal.throwIfAborted();
        yield says(caseId);
        return {};
      },
    ]);
  const stop = new AbortController();
  const cancel = new AbortController();
  const abandon = new AbortController();
  const context: TrialContext = {
    ...scene.context,
    caseOf: ({ place }) => cases[place.index] as TestCase,
    target: async () => ({ open: (world, signal) => open(world.trial.caseId).open(world, signal) }),
    userFor: () => userOf([message('hello')]),
    graderFor: (_, { id }) => graderOf([{ score: id.startsWith('fails') ? 0 : 1, reason: '' }]),
    settle: async ({ fact }) => {
      if (fact.type === 'trial-end') rows.push(fact.row);
    },
    ...options.context,
  };
  const work = runSchedule({
    schedule: createSchedule({ plan, digestOfTarget: () => 0, mostParallel: () => 1000, before: new Map() }),
    context,
    runOne: (trial, signal) => runTrial(trial, context, signal),
    concurrency: options.concurrency ?? 1,
    failFast: options.failFast ?? false,
    control: { stop: stop.signal, cancel: cancel.signal, abandon: abandon.signal },
  });
  const finish = (caseId: string) => waiting.get(caseId)?.();
  return { work, rows, inFlight, most: () => most, finish, stop, cancel, abandon };
}

const graded = (id: string, overrides: Partial<TestCase> = {}): TestCase =>
  caseOf(id, { expectations: [{ name: 'fine', type: 'contains', weight: 1, config: {} }], ...overrides });

/** Workspaces that tell when they are put away. */
const releasing = (tell: () => void): Workspaces => ({
  prepare: async () => workspaceOf([], { release: async () => (tell(), { warnings: [] }) }),
});

const outcomes = (rows: readonly Row[]) => rows.map(({ caseId, verdict }) => `${caseId} ${verdict}`);

describe('runSchedule', () => {
  test('runs every trial and is complete, whatever they came to', async () => {
    const { work, rows } = stageOf([graded('a'), graded('fails'), graded('breaks')]);
    expect(await work).toBe('completed');
    expect(outcomes(rows)).toEqual(['a passed', 'fails failed', 'breaks errored']);
  });

  test('of no trials is complete', async () => {
    expect(await stageOf([]).work).toBe('completed');
  });

  test('runs as many at once as allowed and never more', async () => {
    const { work, inFlight, most, finish } = stageOf(
      ['a', 'b', 'c', 'd', 'e'].map((id) => graded(id)),
      {
        concurrency: 2,
        held: true,
      },
    );
    for (const next of [['a', 'b'], ['b', 'c'], ['c', 'd'], ['d', 'e'], ['e']]) {
      await until(() => [...inFlight].join() === next.join());
      finish(next[0] as string);
    }
    expect([await work, most()]).toEqual(['completed', 2]);
  });

  test('skips what is marked and what depends on a case that did not pass', async () => {
    const { work, rows } = stageOf([
      graded('draft', { skip: { kind: 'draft' } }),
      graded('fails'),
      graded('needs-it', { dependsOn: ['fails'] }),
      graded('needs-that', { dependsOn: ['needs-it'] }),
      graded('expected', { dependsOn: ['fails-as-expected'] }),
      graded('fails-as-expected', { expectedFail: true }),
      graded('elsewhere', { targets: ['another'], dependsOn: ['draft'] }),
    ]);
    expect(await work).toBe('completed');
    expect(rows.map(({ caseId, verdict, skipped, notes }) => [caseId, verdict, skipped, notes])).toEqual([
      ['draft', 'skipped', 'draft', undefined],
      ['fails', 'failed', undefined, undefined],
      ['needs-it', 'skipped', 'dependency', ['depends on "fails", which did not pass']],
      ['needs-that', 'skipped', 'dependency', ['depends on "needs-it", which did not pass']],
      ['fails-as-expected', 'failed', undefined, undefined],
      ['expected', 'passed', undefined, undefined],
      ['elsewhere', 'skipped', 'dependency', ['depends on "draft", which does not run on another']],
    ]);
  });

  test('prints no warning about the many trials that listen for the end of the run', async () => {
    const warnings: string[] = [];
    const hear = (warning: Error) => warnings.push(warning.message);
    process.on('warning', hear);
    const cases = Array.from({ length: 30 }, (_, index) => graded(`c${index}`));
    const { work, inFlight, finish } = stageOf(cases, { concurrency: 30, held: true });
    await until(() => inFlight.size === 30);
    for (const { id } of cases) finish(id);
    await work;
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', hear);
    expect(warnings).toEqual([]);
  });
});

describe('fail-fast', () => {
  test.each([
    ['a failed trial', graded('fails')],
    ['an errored trial', graded('breaks')],
    ['an unexpected pass', graded('surprise', { expectedFail: true })],
  ])('starts nothing after %s', async (_, first) => {
    const { work, rows } = stageOf([first, graded('later')], { failFast: true });
    expect(await work).toBe('stopped');
    expect(rows.map(({ caseId }) => caseId)).toEqual([first.id]);
  });

  test.each([
    ['a skipped trial', graded('draft', { skip: { kind: 'draft' } })],
    ['an expected failure', graded('fails', { expectedFail: true })],
  ])('goes on after %s', async (_, first) => {
    const { work, rows } = stageOf([first, graded('later')], { failFast: true });
    expect(await work).toBe('completed');
    expect(rows.map(({ caseId }) => caseId)).toEqual([first.id, 'later']);
  });

  test('lets trials in flight end', async () => {
    const { work, rows, inFlight, finish } = stageOf(
      ['fails', 'b', 'c'].map((id) => graded(id)),
      {
        failFast: true,
        concurrency: 2,
        held: true,
      },
    );
    await until(() => inFlight.size === 2);
    finish('fails');
    await until(() => rows.length === 1);
    finish('b');
    expect(await work).toBe('stopped');
    expect(outcomes(rows)).toEqual(['fails failed', 'b passed']);
  });

  test('at the last trial leaves nothing to resume: the run is complete', async () => {
    expect(await stageOf([graded('a'), graded('fails')], { failFast: true }).work).toBe('completed');
  });
});

describe('stopping from outside', () => {
  test('starts nothing new and lets trials in flight end', async () => {
    const { work, rows, inFlight, finish, stop } = stageOf([graded('a'), graded('b')], { held: true });
    await until(() => inFlight.has('a'));
    stop.abort(new Error('Ctrl-C'));
    finish('a');
    expect(await work).toBe('interrupted');
    expect(outcomes(rows)).toEqual(['a passed']);
  });

  test('before the first trial starts none', async () => {
    const cases = [graded('a')];
    const plan = planOf([suiteOf('s', cases)]);
    const scene = sceneOf();
    const state = await runSchedule({
      schedule: createSchedule({ plan, digestOfTarget: () => 0, mostParallel: () => 1, before: new Map() }),
      context: scene.context,
      runOne: (trial, signal) => runTrial(trial, scene.context, signal),
      concurrency: 1,
      failFast: false,
      control: { stop: AbortSignal.abort(), abandon: new AbortController().signal },
    });
    expect({ state, told: scene.told }).toEqual({ state: 'interrupted', told: [] });
  });

  test('during the last trial leaves the run completed', async () => {
    const { work, inFlight, finish, stop } = stageOf([graded('a')], { held: true });
    await until(() => inFlight.has('a'));
    stop.abort(new Error('Ctrl-C'));
    finish('a');
    expect(await work).toBe('completed');
  });

  test('abandons trials in flight without an end, also those that do not listen', async () => {
    const { work, rows, inFlight, stop, abandon } = stageOf([graded('a'), graded('b')], { held: true });
    await until(() => inFlight.has('a'));
    stop.abort(new Error('Ctrl-C'));
    abandon.abort(new Error('Ctrl-C'));
    expect(await work).toBe('interrupted');
    expect(rows).toEqual([]);
  });

  test('a trial that is abandoned last is still missing: the run is interrupted', async () => {
    const context = { target: async () => targetOf([hangingTurn()]) };
    const { work, rows, stop, abandon } = stageOf([graded('a')], { context });
    stop.abort();
    abandon.abort();
    expect({ state: await work, rows }).toEqual({ state: 'interrupted', rows: [] });
  });
});

describe('cancelling', () => {
  test('ends trials in flight as cancelled and starts nothing new', async () => {
    const { work, rows, inFlight, cancel, finish } = stageOf(
      ['a', 'b', 'c'].map((id) => graded(id)),
      { held: true, concurrency: 2 },
    );
    await until(() => inFlight.size === 2);
    finish('a');
    await until(() => rows.length === 1 && inFlight.has('c'));
    cancel.abort();
    expect(await work).toBe('stopped');
    expect(outcomes(rows)).toEqual(['a passed', 'b cancelled', 'c cancelled']);
  });

  test('a run whose last trial is cancelled was stopped, and one whose trials have all ended is complete', async () => {
    const last = stageOf([graded('a')], { held: true });
    await until(() => last.inFlight.has('a'));
    last.cancel.abort();
    expect([await last.work, outcomes(last.rows)]).toEqual(['stopped', ['a cancelled']]);
    const ended = stageOf([graded('a')], { context: { workspaces: releasing(() => ended.cancel.abort()) } });
    expect([await ended.work, outcomes(ended.rows)]).toEqual(['completed', ['a passed']]);
  });

  test('a run that is cancelled while it stops is stopped the harder way', async () => {
    const { work, rows, inFlight, stop, cancel } = stageOf([graded('a'), graded('b')], { held: true });
    await until(() => inFlight.has('a'));
    stop.abort(new Error('Ctrl-C'));
    cancel.abort();
    expect([await work, outcomes(rows)]).toEqual(['stopped', ['a cancelled']]);
  });
});

describe('how one trial is run', () => {
  test('is left to the caller: it gets each trial that is started, and what ends it', async () => {
    const cases = [graded('a'), graded('draft', { skip: { kind: 'draft' } }), graded('b')];
    const scene = sceneOf({ context: { caseOf: ({ place }) => cases[place.index] as TestCase } });
    const never = new AbortController().signal;
    const asked: string[] = [];
    const state = await runSchedule({
      schedule: createSchedule({
        plan: planOf([suiteOf('s', cases)]),
        digestOfTarget: () => 0,
        mostParallel: () => 1,
        before: new Map(),
      }),
      context: scene.context,
      runOne: async (trial, signal) => {
        asked.push(`${trial.key} ${signal.aborted}`);
        return undefined;
      },
      concurrency: 1,
      failFast: false,
      control: { stop: never, abandon: never },
    });
    expect([state, asked]).toEqual(['interrupted', ['s/a/bot/r1 false', 's/b/bot/r1 false']]);
    expect(scene.facts('trial-end')).toMatchObject([{ row: { caseId: 'draft', verdict: 'skipped' } }]);
  });
});

describe('a log that cannot be written', () => {
  test('ends the run with its error, starts nothing more and waits for what is in flight', async () => {
    const ended: string[] = [];
    const { work, inFlight, finish } = stageOf(
      ['a', 'b', 'c'].map((id) => graded(id)),
      {
        concurrency: 2,
        held: true,
        context: {
          settle: ({ trial }) => {
            ended.push(trial ?? '');
            return Promise.reject(new Error('disk full'));
          },
        },
      },
    );
    await until(() => inFlight.size === 2);
    finish('a');
    await until(() => ended.length === 1);
    expect([...inFlight]).toEqual(['b']);
    finish('b');
    await expect(work).rejects.toThrow('disk full');
    expect(ended).toEqual(['s/a/bot/r1', 's/b/bot/r1']);
  });
});

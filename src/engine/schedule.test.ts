import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { TestCase } from '../core/test-case.ts';
import { given } from '../lib/given.ts';
import { caseOf, fell, passed, planOf, suiteOf } from './fixtures/suites.ts';
import type { PlannedTrial } from './trial-context.ts';
import type { Plan } from './plan.ts';
import { createSchedule, type Schedule, type ScheduleOptions } from './schedule.ts';

function scheduleOf(plan: Plan, overrides: Partial<ScheduleOptions> = {}): Schedule {
  return createSchedule({
    plan,
    digestOfTarget: () => 0,
    mostParallel: () => 1000,
    before: new Map(),
    ...overrides,
  });
}

const planned = (...cases: readonly TestCase[]): Plan => planOf([suiteOf('s', cases)]);

/** Everything that can go now, as `case` or `case by blocker`. */
function going(schedule: Schedule): { readonly names: string[]; readonly trials: Map<string, PlannedTrial> } {
  const names: string[] = [];
  const trials = new Map<string, PlannedTrial>();
  for (let next = schedule.next(); next !== undefined; next = schedule.next()) {
    names.push(
      next.blockedBy === undefined ? next.trial.caseId : `${next.trial.caseId} by ${next.blockedBy.id}`,
    );
    trials.set(next.trial.caseId, next.trial);
  }
  return { names, trials };
}

const started = (trials: ReadonlyMap<string, PlannedTrial>, id: string): PlannedTrial => {
  const trial = trials.get(id);
  if (trial === undefined) throw new Error(`${id} was not handed out`);
  return trial;
};

describe('room', () => {
  const targets = ['slow', 'fast'];
  const plan = planned(...['a', 'b', 'c'].map((id) => caseOf(id, { targets })));

  test('trials go in the order of the plan, across targets', () => {
    const schedule = scheduleOf(plan);
    const keys = Array.from({ length: 6 }, () => schedule.next()?.trial.key);
    expect(keys).toEqual([
      's/a/slow/r1',
      's/a/fast/r1',
      's/b/slow/r1',
      's/b/fast/r1',
      's/c/slow/r1',
      's/c/fast/r1',
    ]);
    expect(schedule.next()).toBe(undefined);
  });

  test('a target without room holds up no other target, and continues when one of its trials has ended', () => {
    const schedule = scheduleOf(plan, { mostParallel: (target) => (target === 'slow' ? 1 : 2) });
    const first = schedule.next()?.trial as PlannedTrial;
    const rest = [schedule.next(), schedule.next(), schedule.next()].map((next) => next?.trial.key);
    expect([first.key, ...rest]).toEqual(['s/a/slow/r1', 's/a/fast/r1', 's/b/fast/r1', undefined]);
    schedule.ended(first, passed);
    expect([schedule.next()?.trial.key, schedule.next()?.trial.key]).toEqual(['s/b/slow/r1', undefined]);
  });

  test('an abandoned trial gives its room back', () => {
    const schedule = scheduleOf(planned(caseOf('a'), caseOf('b')), { mostParallel: () => 1 });
    schedule.ended(schedule.next()?.trial as PlannedTrial, undefined);
    expect(schedule.next()?.trial.key).toBe('s/b/bot/r1');
  });
});

describe('dependencies', () => {
  test('a case waits for its dependencies while other cases run', () => {
    const schedule = scheduleOf(planned(caseOf('b', { dependsOn: ['a'] }), caseOf('a'), caseOf('c')));
    const { names, trials } = going(schedule);
    expect(names).toEqual(['a', 'c']);
    schedule.ended(started(trials, 'a'), passed);
    expect(going(schedule).names).toEqual(['b']);
  });

  test('a case whose dependency did not pass is handed out as blocked, and so is what depends on it', () => {
    const schedule = scheduleOf(
      planned(caseOf('a'), caseOf('b', { dependsOn: ['a'] }), caseOf('c', { dependsOn: ['b'] })),
    );
    schedule.ended(started(going(schedule).trials, 'a'), fell);
    const { names, trials } = going(schedule);
    expect(names).toEqual(['b by a']);
    schedule.ended(started(trials, 'b'), fell);
    expect(going(schedule).names).toEqual(['c by b']);
  });

  test('a case waits for all of several dependencies', () => {
    const schedule = scheduleOf(planned(caseOf('a'), caseOf('b'), caseOf('c', { dependsOn: ['a', 'b'] })));
    const { trials } = going(schedule);
    schedule.ended(started(trials, 'a'), passed);
    expect(going(schedule).names).toEqual([]);
    schedule.ended(started(trials, 'b'), passed);
    expect(going(schedule).names).toEqual(['c']);
  });

  test('an abandoned dependency lets nothing go', () => {
    const schedule = scheduleOf(planned(caseOf('a'), caseOf('b', { dependsOn: ['a'] })));
    schedule.ended(started(going(schedule).trials, 'a'), undefined);
    expect(going(schedule).names).toEqual([]);
  });

  test('a repetition waits for the same repetition, or the last one there is, on its own target', () => {
    const targets = ['t1', 't2'];
    const schedule = scheduleOf(
      planned(caseOf('a', { targets, repeat: 2 }), caseOf('b', { targets, repeat: 3, dependsOn: ['a'] })),
    );
    const first = Array.from({ length: 4 }, () => schedule.next()?.trial as PlannedTrial);
    expect(first.map(({ key }) => key)).toEqual(['s/a/t1/r1', 's/a/t1/r2', 's/a/t2/r1', 's/a/t2/r2']);
    schedule.ended(first[3] as PlannedTrial, passed);
    expect([schedule.next()?.trial.key, schedule.next()?.trial.key, schedule.next()?.trial.key]).toEqual([
      's/b/t2/r2',
      's/b/t2/r3',
      undefined,
    ]);
    schedule.ended(first[0] as PlannedTrial, fell);
    expect(schedule.next()).toMatchObject({
      trial: { key: 's/b/t1/r1' },
      blockedBy: { id: 'a', trial: 'not-passed' },
    });
  });

  test('a dependency that is not run on this target blocks', () => {
    const schedule = scheduleOf(
      planned(caseOf('a', { targets: ['t1'] }), caseOf('b', { targets: ['t2'], dependsOn: ['a'] })),
    );
    expect(going(schedule).names).toEqual(['a', 'b by a']);
  });

  test('dependencies are of one suite: the same id elsewhere is another case', () => {
    const suites = ['s', 't'].map((id) => suiteOf(id, [caseOf('a'), caseOf('b', { dependsOn: ['a'] })]));
    const schedule = scheduleOf(planOf(suites));
    const [first, second] = [schedule.next()?.trial as PlannedTrial, schedule.next()?.trial as PlannedTrial];
    expect([first.key, second.key, schedule.next()]).toEqual(['s/a/bot/r1', 't/a/bot/r1', undefined]);
    schedule.ended(second, passed);
    expect([schedule.next()?.trial.key, schedule.next()]).toEqual(['t/b/bot/r1', undefined]);
  });

  test('what has become ready goes before what stands later in the plan', () => {
    const cases = [
      caseOf('a'),
      caseOf('b'),
      caseOf('needs-b', { dependsOn: ['b'] }),
      caseOf('needs-a', { dependsOn: ['a'] }),
      caseOf('late'),
      caseOf('later'),
    ];
    const schedule = scheduleOf(planned(...cases), { mostParallel: () => 2 });
    const [a, b] = [schedule.next()?.trial as PlannedTrial, schedule.next()?.trial as PlannedTrial];
    schedule.ended(a, passed);
    const running = schedule.next()?.trial as PlannedTrial;
    expect([running.key, schedule.next()]).toEqual(['s/needs-a/bot/r1', undefined]);
    schedule.ended(b, passed);
    schedule.ended(running, passed);
    expect(going(schedule).names).toEqual(['needs-b', 'late']);
  });
});

describe('resume', () => {
  test('leaves out what has ended, and knows how it ended', () => {
    const before = new Map([
      ['s/a/bot/r1', true],
      ['s/b/bot/r1', false],
    ]);
    const cases = [
      caseOf('a'),
      caseOf('b'),
      caseOf('c', { dependsOn: ['a'] }),
      caseOf('d', { dependsOn: ['b'] }),
    ];
    const schedule = scheduleOf(planned(...cases), { before });
    expect(going(schedule).names).toEqual(['c', 'd by b']);
  });

  test('recalls what an earlier process knew about a trial', () => {
    const earlier = [{ durationMs: 5 }];
    const schedule = scheduleOf(planned(caseOf('a')), { recall: (trial) => ({ ...trial, earlier }) });
    expect(schedule.next()?.trial).toMatchObject({ key: 's/a/bot/r1', earlier });
  });
});

describe('every schedule', () => {
  const anyCase = fc.record({
    targets: fc.uniqueArray(fc.constantFrom('t1', 't2', 't3'), { minLength: 1 }),
    repeat: fc.integer({ min: 1, max: 3 }),
    back: fc.array(fc.nat(4), { maxLength: 2 }),
  });

  test('hands out every trial exactly once, dependencies first, and never more than the room', () => {
    const property = fc.property(
      fc.array(anyCase, { minLength: 1, maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 3, maxLength: 3 }),
      fc.infiniteStream(fc.nat(100)),
      (drafts, rooms, choices) => {
        const cases = drafts.map(({ back, ...own }, index) => {
          const dependsOn = [...new Set(back.filter((n) => n < index).map((n) => `c${index - 1 - n}`))];
          return caseOf(`c${index}`, { ...own, ...(dependsOn.length === 0 ? {} : { dependsOn }) });
        });
        const plan = planned(...cases);
        const room = new Map(plan.targets.map((target, index) => [target, rooms[index] ?? 1]));
        const schedule = scheduleOf(plan, { mostParallel: (target) => room.get(target) ?? 1 });
        const handed = new Set<string>();
        const ended = new Map<string, boolean>();
        const running: PlannedTrial[] = [];
        for (;;) {
          for (let next = schedule.next(); next !== undefined; next = schedule.next()) {
            expect(handed.has(next.trial.key)).toBe(false);
            handed.add(next.trial.key);
            running.push(next.trial);
            const needs = cases.find(({ id }) => id === next.trial.caseId)?.dependsOn ?? [];
            const fallen = needs.some((id) =>
              [...ended].every(([key, ok]) => !key.startsWith(`s/${id}/${next.trial.target}/`) || !ok),
            );
            expect(next.blockedBy !== undefined || !fallen).toBe(true);
          }
          for (const target of plan.targets) {
            const busy = running.filter((trial) => trial.target === target).length;
            expect(busy).toBeLessThanOrEqual(room.get(target) ?? 1);
          }
          const choice = choices.next().value;
          const [trial] = running.splice(choice % Math.max(1, running.length), 1);
          if (trial === undefined) break;
          ended.set(trial.key, choice % 5 !== 0);
          schedule.ended(trial, { passed: choice % 5 !== 0 });
        }
        expect(handed.size).toBe(plan.size);
      },
    );
    fc.assert(property, { numRuns: 200 });
  });

  test('hands out 30,000 trials that wait for one without a thought', () => {
    const dependent = Array.from({ length: 30_000 }, (_, i) => caseOf(`c${i}`, { dependsOn: ['login'] }));
    const schedule = scheduleOf(planned(caseOf('login'), ...dependent), { mostParallel: () => 10 });
    let handed = 0;
    for (let next = schedule.next(); next !== undefined; next = schedule.next()) {
      handed += 1;
      schedule.ended(next.trial, passed);
    }
    expect(handed).toBe(30_001);
  });
});

describe('a target that cannot be reached', () => {
  const plan = planned(...['a', 'b', 'c', 'd', 'e', 'f'].map((id) => caseOf(id)));
  const ended = (detail?: string, stage: 'target' | 'workspace' = 'target') => ({
    passed: false,
    verdict: 'errored' as const,
    error: {
      stage,
      kind: 'target-unavailable' as const,
      code: 'x',
      message: 'refused',
      ...given({ detail }),
    },
  });
  type End = Parameters<Schedule['ended']>[1];

  /** Ends one trial after the other so, and tells whether the next one is rejected and what was said. */
  function after(...ends: readonly End[]) {
    const said: string[] = [];
    const schedule = scheduleOf(plan, {
      isReached: () => true,
      onGone: (target, { error }) => said.push(`${target}: ${error.message}`),
    });
    for (const end of ends) schedule.ended(schedule.next()?.trial as PlannedTrial, end);
    return { rejected: schedule.next()?.rejection?.error.message, said };
  }

  test('is given up after its first three trials, which is said once', () => {
    const rejected = 'not started: the first 3 trials could not reach "bot": refused';
    expect(after(ended(), ended(), ended())).toEqual({ rejected, said: [`bot: ${rejected}`] });
    expect(
      after(ended('econnrefused'), ended('workspace', 'workspace'), ended(), ended('connect-timeout')),
    ).toEqual({
      rejected,
      said: [`bot: ${rejected}`],
    });
  });

  test.each<[string, readonly End[]]>([
    ['two trials are not enough', [ended(), ended()]],
    ['one that answered', [passed, ended(), ended(), ended(), ended()]],
    ['one that answered badly', [ended(), fell, ended(), ended(), ended()]],
    ['what was heard in part', [ended('connection-lost'), ended(), ended(), ended()]],
    ['what is missing for one case', [ended('cassette-miss'), ended(), ended(), ended()]],
  ])('is not given up: %s', (_, ends) => {
    expect(after(...ends)).toEqual({ rejected: undefined, said: [] });
  });

  test('starts no more trials than it takes to decide, once the first one has failed', () => {
    const schedule = scheduleOf(plan, { isReached: () => true, mostParallel: () => 3 });
    const [a, b, c] = Array.from({ length: 3 }, () => schedule.next()?.trial as PlannedTrial);
    schedule.ended(a as PlannedTrial, ended());
    expect(schedule.next()).toBeUndefined();
    schedule.ended(b as PlannedTrial, ended('workspace', 'workspace'));
    expect(schedule.next()?.trial.caseId).toBe('d');
    schedule.ended(c as PlannedTrial, passed);
    expect([schedule.next()?.trial.caseId, schedule.next()?.trial.caseId]).toEqual(['e', 'f']);
  });

  test('is taken back when a trial that was under way reaches it', () => {
    const schedule = scheduleOf(plan, { isReached: () => true });
    const [a, b, c, d] = Array.from({ length: 4 }, () => schedule.next()?.trial as PlannedTrial);
    for (const trial of [a, b, c]) schedule.ended(trial as PlannedTrial, ended());
    expect(schedule.next()?.rejection).toBeDefined();
    schedule.ended(d as PlannedTrial, passed);
    expect(schedule.next()?.rejection).toBeUndefined();
  });
});

describe('a probed target', () => {
  const plan = planned(...['a', 'b', 'c'].map((id) => caseOf(id, { targets: ['agent', 'other'] })));
  const probed = () => scheduleOf(plan, { isProbed: (target) => target === 'agent' });
  const errored = (kind: 'model-rejected' | 'http-error' | 'runner-crash', detail?: string) => ({
    passed: false,
    verdict: 'errored' as const,
    error: {
      stage: 'target' as const,
      kind,
      code: kind,
      message: 'no',
      ...given({ detail }),
    },
    failureClass: { id: 'x' },
  });
  const keysOf = (schedule: Schedule) => {
    const keys: string[] = [];
    for (let next = schedule.next(); next !== undefined; next = schedule.next())
      keys.push(`${next.trial.key}${next.rejection === undefined ? '' : ' rejected'}`);
    return keys;
  };

  test('runs its first trial before its others, in parallel with other targets', () => {
    const schedule = probed();
    const first = schedule.next()?.trial as PlannedTrial;
    expect([first.key, ...keysOf(schedule)]).toEqual([
      's/a/agent/r1',
      's/a/other/r1',
      's/b/other/r1',
      's/c/other/r1',
    ]);
    schedule.ended(first, passed);
    expect(keysOf(schedule)).toEqual(['s/b/agent/r1', 's/c/agent/r1']);
  });

  test.each([
    ['model-rejected', undefined, true],
    ['http-error', 'credentials-rejected', true],
    ['http-error', 'http-401', true],
    ['http-error', 'http-503', false],
    ['runner-crash', undefined, false],
  ] as const)('when that ends as %s %s the others are rejected: %s', (kind, detail, isRejected) => {
    const schedule = probed();
    const first = schedule.next()?.trial as PlannedTrial;
    keysOf(schedule);
    schedule.ended(first, errored(kind, detail));
    const next = schedule.next();
    expect(next?.rejection?.error.message).toBe(
      isRejected ? 'not started: the first trial of "agent", case "a", ended with: no' : undefined,
    );
    expect(next?.rejection?.failureClass).toEqual(isRejected ? { id: 'x' } : undefined);
  });

  test('is probed by the next trial when the first one was skipped', () => {
    const schedule = probed();
    const first = schedule.next()?.trial as PlannedTrial;
    keysOf(schedule);
    schedule.ended(first, { passed: false, verdict: 'skipped' });
    expect(keysOf(schedule)).toEqual(['s/b/agent/r1']);
  });
});

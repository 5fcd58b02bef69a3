import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { TestCase } from '../core/test-case.ts';
import { caseOf, planOf, suiteOf } from './fixtures/suites.ts';
import { trialsOf, type Plan } from './plan.ts';

const ids = (plan: Plan): string[] => Array.from(plan.cases, ({ id }) => id);
const count = (n: number): TestCase[] => Array.from({ length: n }, (_, index) => caseOf(`c${index}`));

/** Keys of all trials by their place in the plan. */
function order(plan: Plan): string[] {
  const keys: string[] = [];
  for (const target of plan.targets)
    for (const trial of trialsOf(plan, target, 0)) keys[trial.index] = trial.key;
  return keys;
}

describe('the order of a plan', () => {
  test('is case-major as authored: cases, then targets, then repetitions', () => {
    const first = suiteOf('a', [
      caseOf('x', { targets: ['t1', 't2'], repeat: 2 }),
      caseOf('y', { targets: ['t2'] }),
    ]);
    const plan = planOf([first, suiteOf('b', [caseOf('x', { targets: ['t1'] })])]);
    expect(order(plan)).toEqual([
      'a/x/t1/r1',
      'a/x/t1/r2',
      'a/x/t2/r1',
      'a/x/t2/r2',
      'a/y/t2/r1',
      'b/x/t1/r1',
    ]);
    expect({ size: plan.size, targets: plan.targets }).toEqual({ size: 6, targets: ['t1', 't2'] });
  });

  test('a trial carries its place, digests and skip, and nothing of the case itself', () => {
    const skip = { kind: 'draft', reason: 'not yet' } as const;
    const plan = planOf(
      [suiteOf('a', [caseOf('x', { skip })])],
      {},
      { digestsOf: () => ({ case: 4, graders: [5, 6] }) },
    );
    expect([...trialsOf(plan, 'bot', 9)]).toEqual([
      {
        number: 1,
        suite: 'a',
        caseId: 'x',
        target: 'bot',
        repetition: 1,
        key: 'a/x/bot/r1',
        index: 0,
        place: { suite: 0, index: 0 },
        digests: { case: 4, target: 9 },
        graders: [5, 6],
        skip,
      },
    ]);
  });

  test('a target named twice is planned once', () => {
    const plan = planOf([suiteOf('a', [caseOf('x', { targets: ['t1', 't2', 't1'] })])]);
    expect({ order: order(plan), size: plan.size }).toEqual({ order: ['a/x/t1/r1', 'a/x/t2/r1'], size: 2 });
  });

  test('ids are data: dots and slashes make no other trial', () => {
    const plan = planOf([suiteOf('a/b', [caseOf('c')]), suiteOf('a', [caseOf('b/c'), caseOf('../../x')])]);
    expect(order(plan)).toEqual(['a%2Fb/c/bot/r1', 'a/b%2Fc/bot/r1', 'a/..%2F..%2Fx/bot/r1']);
  });

  test('has one place for every trial and no place without one', () => {
    const anyCase = fc.record({
      targets: fc.uniqueArray(fc.constantFrom('t1', 't2', 't3'), { minLength: 1 }),
      repeat: fc.integer({ min: 1, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(fc.array(anyCase, { maxLength: 5 }), { maxLength: 3 }), (suites) => {
        const plan = planOf(
          suites.map((cases, s) =>
            suiteOf(
              `s${s}`,
              cases.map((own, c) => caseOf(`c${c}`, own)),
            ),
          ),
        );
        const keys = order(plan);
        expect(keys).toHaveLength(plan.size);
        expect(new Set(keys).size).toBe(plan.size);
      }),
    );
  });
});

describe('selection', () => {
  const suite = suiteOf('s', [
    caseOf('login', { tags: ['smoke'] }),
    caseOf('logout', { tags: ['smoke', 'slow'] }),
    caseOf('refund', { tags: ['money'] }),
  ]);

  test.each([
    [{}, ['login', 'logout', 'refund']],
    [{ cases: ['log*'] }, ['login', 'logout']],
    [{ cases: ['refund', 'login'] }, ['login', 'refund']],
    [{ cases: ['nothing'] }, []],
    [{ tags: ['smoke'] }, ['login', 'logout']],
    [{ tags: ['smoke', 'money'], excludeTags: ['slow'] }, ['login', 'refund']],
    [{ cases: ['log*'], tags: ['money'] }, []],
    [{ limit: 2 }, ['login', 'logout']],
    [{ limit: 0 }, []],
    [{ limit: 9 }, ['login', 'logout', 'refund']],
    [{ tags: ['money'], limit: 1 }, ['refund']],
    [{ sample: 9 }, ['login', 'logout', 'refund']],
  ])('%j takes %j', (selection, expected) => {
    expect(ids(planOf([suite], selection))).toEqual(expected);
  });

  test('a sample is drawn by the seed, keeps the written order, and comes from what the filters let in', () => {
    const large = suiteOf(
      's',
      count(100).map((one, i) => (i % 2 === 0 ? { ...one, tags: ['even'] } : one)),
    );
    const drawn = ids(planOf([large], { sample: 10, tags: ['even'] }));
    expect(drawn).toHaveLength(10);
    expect(drawn).toEqual(ids(planOf([large], { sample: 10, tags: ['even'] })));
    expect(drawn).not.toEqual(ids(planOf([large], { sample: 10, tags: ['even'] }, { seed: 8 })));
    const places = drawn.map((id) => Number(id.slice(1)));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places.every((place) => place % 2 === 0)).toBe(true);
  });

  test('a limit takes the first of a sample', () => {
    const large = suiteOf('s', count(100));
    const sample = ids(planOf([large], { sample: 10 }));
    expect(ids(planOf([large], { sample: 10, limit: 3 }))).toEqual(sample.slice(0, 3));
  });

  test('what a selected case depends on comes along, and its dependencies too', () => {
    const chained = suiteOf('s', [
      caseOf('a', { tags: ['x'] }),
      caseOf('b', { dependsOn: ['a'] }),
      caseOf('c', { dependsOn: ['b'] }),
      caseOf('d'),
    ]);
    const other = suiteOf('t', [caseOf('a'), caseOf('b')]);
    const plan = planOf([chained, other], { cases: ['c'] });
    expect(order(plan)).toEqual(['s/a/bot/r1', 's/b/bot/r1', 's/c/bot/r1']);
    expect(ids(planOf([chained], { cases: ['c', 'd'], limit: 1 }))).toEqual(['a', 'b', 'c']);
  });

  test('trials of an earlier run narrow cases and targets, also of what they depend on', () => {
    const targets = ['t1', 't2'];
    const cases = [
      caseOf('a', { targets }),
      caseOf('b', { targets, dependsOn: ['a'] }),
      caseOf('c', { targets }),
    ];
    const only = ({ caseId, target }: { caseId: string; target: string }) =>
      caseId === 'b' && target === 't2';
    const plan = planOf([suiteOf('s', cases)], {}, { only });
    expect(order(plan)).toEqual(['s/a/t2/r1', 's/b/t2/r1']);
  });

  test('what a trial depends on comes along on its target, also where it is picked on another one', () => {
    const targets = ['t1', 't2', 't3'];
    const cases = [
      caseOf('a', { targets }),
      caseOf('b', { targets, dependsOn: ['a'] }),
      caseOf('c', { targets, dependsOn: ['b'] }),
    ];
    const picked = ['a t1', 'b t2', 'c t3'];
    const only = ({ caseId, target }: { caseId: string; target: string }) =>
      picked.includes(`${caseId} ${target}`);
    expect(order(planOf([suiteOf('s', cases)], {}, { only }))).toEqual(
      ['a/t1', 'a/t2', 'a/t3', 'b/t2', 'b/t3', 'c/t3'].map((trial) => `s/${trial}/r1`),
    );
  });

  test('only planned cases are digested, so that the list of a run names nothing else', () => {
    const digested: string[] = [];
    const digestsOf = (testCase: TestCase) => ({ case: digested.push(testCase.id) - 1, graders: [] });
    const cases = [caseOf('a'), caseOf('b'), caseOf('c', { dependsOn: ['a'] }), caseOf('d')];
    for (const selection of [{ cases: ['c'] }, { cases: ['c', 'd'], limit: 1 }]) {
      digested.length = 0;
      const plan = planOf([suiteOf('s', cases)], selection, { digestsOf });
      expect(digested.toSorted()).toEqual(['a', 'c']);
      expect(Array.from(plan.cases, ({ id, digests }) => [id, digested[digests.case]])).toEqual([
        ['a', 'a'],
        ['c', 'c'],
      ]);
    }
  });
});

describe('shards', () => {
  const anyCases = fc
    .array(fc.record({ tag: fc.constantFrom('x', 'y'), back: fc.array(fc.nat(5), { maxLength: 2 }) }), {
      maxLength: 20,
    })
    .map((drafts) =>
      drafts.map(({ tag, back }, index) => {
        const dependsOn = [...new Set(back.filter((n) => n < index).map((n) => `c${index - 1 - n}`))];
        return caseOf(`c${index}`, { tags: [tag], ...(dependsOn.length === 0 ? {} : { dependsOn }) });
      }),
    );

  test('share no case, leave none out, and keep dependencies together', () => {
    fc.assert(
      fc.property(anyCases, fc.integer({ min: 1, max: 4 }), fc.boolean(), (cases, of, filtered) => {
        const suites = [suiteOf('s', cases), suiteOf('t', cases)];
        const selection = filtered ? { tags: ['x'] } : {};
        const shards = Array.from({ length: of }, (_, index) =>
          planOf(suites, { ...selection, shard: { index: index + 1, of } }),
        );
        const whole = order(planOf(suites, selection));
        expect(shards.flatMap(order).toSorted()).toEqual(whole.toSorted());
        for (const shard of shards) {
          const own = new Set(order(shard));
          for (const { suite, dependsOn = [] } of shard.cases) {
            const name = shard.suites[suite]?.id;
            expect(dependsOn.every((id) => own.has(`${name}/${id}/bot/r1`))).toBe(true);
          }
        }
      }),
    );
  });

  test('share independent cases evenly', () => {
    const sizes = [1, 2, 3].map(
      (index) => planOf([suiteOf('s', count(10))], { shard: { index, of: 3 } }).size,
    );
    expect(sizes).toEqual([4, 3, 3]);
  });

  test('the third of more shards than cases is empty', () => {
    expect(planOf([suiteOf('s', count(2))], { shard: { index: 3, of: 3 } }).size).toBe(0);
  });
});

describe('30,000 cases', () => {
  test('that all depend on one are planned and sharded without a thought', () => {
    const cases = [caseOf('login'), ...count(30_000).map((one) => ({ ...one, dependsOn: ['login'] }))];
    expect(planOf([suiteOf('s', cases)], { shard: { index: 1, of: 2 } }).size).toBe(30_001);
  });

  test('that depend each on the one before are planned and sharded too', () => {
    const cases = count(30_000).map((one, i) => (i === 0 ? one : { ...one, dependsOn: [`c${i - 1}`] }));
    expect(planOf([suiteOf('s', cases)], { cases: ['c29999'], shard: { index: 1, of: 2 } }).size).toBe(
      30_000,
    );
  });
});

import type { CompareOptions } from '../core/run-comparison.ts';
import { describe, expect, test } from 'vitest';

import type { Row, RunState } from '../core/run.ts';
import { given } from '../lib/given.ts';
import { collectCases, emptyTable } from './case-table.ts';
import { compareAll } from './compare-cases.ts';
import { comparisonSentence } from './comparison-sentence.ts';
import { numbering } from './numbering.ts';
import { rowsOf } from './row.fixture.ts';

const OPTIONS: CompareOptions = { on: 'score', alpha: 0.05, margin: 0.05, across: [] };

interface Written {
  readonly rows: readonly Row[];
  readonly digests?: readonly string[];
  readonly state?: RunState;
  readonly maxErrored?: number;
  readonly chosenFrom?: readonly string[];
  readonly graders?: readonly {
    readonly digest: number;
    readonly weight: number;
    readonly required?: number;
  }[];
}

/** A row's case digest is `digests[0]`, and its only grader's is `digests[2]`. */
const compare = (base: Written, candidate: Written, options: Partial<CompareOptions> = {}) => {
  const numbers = numbering();
  const side = (name: string, { rows, digests, state, maxErrored, graders, chosenFrom }: Written) => {
    const collector = collectCases(digests ?? ['case', 'target', 'grader'], numbers);
    for (const row of rows) {
      const costUsd = row.costUsd.agent;
      collector.add({
        ...row,
        caseDigest: row.digests.case,
        ...given({ termsDigest: row.digests.terms }),
        graders: graders ?? [{ digest: 2, weight: 1 }],
        tokens: row.usage.agent?.totalTokens,
        costUsd,
      });
    }
    const table = collector.tables().get('agent') ?? emptyTable();
    const chosen = { runs: [name], chosenFrom: chosenFrom ?? [] };
    return { name, table, ...chosen, state: state ?? 'completed', maxErrored: maxErrored ?? 0 } as const;
  };
  const sides = [{ base: side('BASE', base), candidate: side('CANDIDATE', candidate) }];
  const { on, comparisons } = compareAll(sides, { ...OPTIONS, ...options });
  return { on, ...(comparisons[0] as (typeof comparisons)[number]) };
};

const many = (count: number, verdicts: string) =>
  Array.from({ length: count }, (_, i) => rowsOf(`c${i}`, verdicts)).flat();
const worseBy = (count: number) => [...many(40, 'p').slice(count), ...many(count, 'f')];

describe('the sentence', () => {
  test.each([
    [
      'regressed',
      { rows: many(40, 'p') },
      { rows: worseBy(6) },
      'regressed: 6 of 40 cases got worse, none better, p = 0.03; the smallest change this run could have seen is about 16 points',
    ],
    [
      'improved',
      { rows: worseBy(6) },
      { rows: many(40, 'p') },
      'improved: 6 of 40 cases got better, none worse, p = 0.03; the smallest change this run could have seen is about 16 points',
    ],
    [
      'equivalent',
      { rows: many(100, 'p') },
      { rows: many(100, 'p') },
      'equivalent: the difference over 100 cases is 0 points [-3, +3], all of it within 5 points; none of 100 cases got better or worse',
    ],
    [
      'inconclusive',
      { rows: many(40, 'p') },
      { rows: worseBy(3) },
      'inconclusive: 3 of 40 cases got worse, none better, p = 0.25; the smallest change this run could have seen is about 16 points; a change of 5 points would be seen with about 150 cases',
    ],
    [
      'inconclusive',
      { rows: many(3, 'p') },
      { rows: many(3, 'f') },
      'inconclusive: 3 of 3 cases got worse, none better, p = 0.25; at least 6 cases are needed to see any change; a change of 5 points would be seen with about 150 cases',
    ],
    [
      'inconclusive',
      { rows: many(40, 'p') },
      { rows: [...many(5, 'p'), ...rowsOf('new', 'p')] },
      'inconclusive: none of 5 cases got better or worse, p = 1; at least 6 cases are needed to see any change; a change of 5 points would be seen with about 150 cases; not compared: 35 cases only in the base, 1 case only in the candidate',
    ],
  ])('of %s', (verdict, base, candidate, sentence) => {
    const comparison = compare(base, candidate);
    expect([comparison.verdict, comparisonSentence(comparison, OPTIONS)]).toEqual([verdict, sentence]);
  });
});

describe('what makes a comparison invalid', () => {
  test.each<[string, Written, Written, string]>([
    ['an empty side', { rows: [] }, { rows: many(2, 'p') }, 'BASE has no trial with an outcome'],
    [
      'no case in common',
      { rows: rowsOf('a', 'p') },
      { rows: rowsOf('b', 'p') },
      'BASE and CANDIDATE have no case in common',
    ],
    [
      'a side that was interrupted',
      { rows: many(40, 'p') },
      { rows: many(40, 'p'), state: 'interrupted' },
      'CANDIDATE was interrupted before all of its trials had an outcome (finish it with assay resume)',
    ],
    [
      'a side that goes on',
      { rows: many(40, 'p'), state: 'running' },
      { rows: many(40, 'p') },
      'BASE has not ended before all of its trials had an outcome (finish it with assay resume)',
    ],
    [
      'more errored trials than are allowed',
      { rows: many(40, 'p') },
      { rows: [...many(40, 'p'), ...rowsOf('c0', 'e')] },
      '1 of 41 trials of CANDIDATE errored, but 0 are allowed (run them again with assay resume --retry errored, or allow more with --max-errored)',
    ],
    [
      'cases that differ',
      { rows: many(40, 'p') },
      { rows: many(40, 'p'), digests: ['another case', 'target', 'grader'] },
      '40 of 40 cases are not the same on both sides, such as c0 of s.eval.yaml (allow it with --across case)',
    ],
    [
      'graders that differ',
      { rows: many(40, 'p') },
      { rows: many(40, 'p'), digests: ['case', 'target', 'another grader'] },
      '40 of 40 cases are graded differently on the two sides, such as c0 of s.eval.yaml (grade the older run again with assay grade, or allow it with --across grader)',
    ],
    [
      'nothing measured on both sides',
      { rows: rowsOf('a', 'p'), maxErrored: 1 },
      { rows: rowsOf('a', 'e'), maxErrored: 1 },
      'no case was measured on both sides',
    ],
  ])('%s', (_, base, candidate, message) => {
    const comparison = compare(base, candidate);
    expect([comparison.verdict, comparison.result, comparisonSentence(comparison, OPTIONS)]).toEqual([
      'invalid',
      null,
      `invalid: ${message}`,
    ]);
  });

  test('every reason is given', () => {
    const other = {
      rows: [...many(2, 'p'), ...rowsOf('c0', 'e')],
      digests: ['x', 't', 'y'],
      state: 'stopped' as const,
    };
    expect(compare({ rows: many(2, 'p') }, other).reasons.map(({ code }) => code)).toEqual([
      'unfinished',
      'errored',
      'digests',
      'digests',
    ]);
  });
});

test('what is compared across may differ, and is named', () => {
  const other = { rows: many(80, 'p'), digests: ['another case', 'target', 'another grader'] };
  const found = compare({ rows: many(80, 'p') }, other, { across: ['case', 'grader'] });
  expect([found.verdict, found.changed.length, found.changed[0]]).toEqual([
    'equivalent',
    80,
    { suite: 's.eval.yaml', caseId: 'c0', what: ['case', 'grader'] },
  ]);
  expect(compare({ rows: many(80, 'p') }, other, { across: ['case'] }).verdict).toBe('invalid');
});

describe('what grades weigh, require and must reach', () => {
  const digests = ['case', 'target', 'contains', 'equals', 'terms', 'other terms'];
  const graded = (
    [first, second]: readonly [object, object],
    { terms = 4, ...more }: { readonly terms?: number; readonly threshold?: number } = {},
  ): Written => ({
    rows: many(80, 'p').map((row) => ({ ...row, ...more, digests: { ...row.digests, terms } })),
    digests,
    graders: [
      { digest: 2, weight: 1, ...first },
      { digest: 3, weight: 1, ...second },
    ],
  });
  const plain = graded([{}, {}]);
  const found = (other: Written, options: Partial<CompareOptions> = {}) => {
    const comparison = compare(plain, other, options);
    return [comparison.verdict, comparisonSentence(comparison, OPTIONS), comparison.changed[0]?.what ?? null];
  };
  const name = 'such as c0 of s.eval.yaml';
  const hint = '(grade the older run again with assay grade, or allow it with --across grader)';
  const equivalent = ['equivalent', expect.stringMatching(/^equivalent: /)];

  test('another weight makes other scores', () => {
    const heavier = graded([{ weight: 4 }, {}], { terms: 5 });
    const said = `invalid: 80 of 80 cases have different grader weights on the two sides, ${name} ${hint}`;
    expect(found(heavier)).toEqual(['invalid', said, ['weight']]);
    expect(found(heavier, { on: 'passed' })).toEqual(['invalid', said, ['weight']]);
    expect(found(heavier, { across: ['grader'] })).toEqual([...equivalent, ['weight']]);
  });

  test('a required grader makes other verdicts, and no other scores', () => {
    const gated = graded([{ required: 0.8 }, {}], { terms: 5 });
    expect(found(gated)).toEqual([...equivalent, ['gate']]);
    const said = `invalid: 80 of 80 cases have different required graders on the two sides, ${name} ${hint}`;
    expect(found(gated, { on: 'passed' })).toEqual(['invalid', said, ['gate']]);
    expect(found(gated, { on: 'passed', across: ['grader'] })).toEqual([...equivalent, ['gate']]);
  });

  test('where nothing has a weight, the gates are the score', () => {
    const [one, other] = [0.8, 0.9].map((required, i) =>
      graded([{ weight: 0, required }, { weight: 0 }], { terms: 4 + i }),
    );
    expect(compare(one as Written, other as Written).verdict).toBe('invalid');
  });

  test('a pass threshold changes verdicts but not scores; a flag overrides the stored threshold', () => {
    for (const terms of [4, 5]) {
      const lower = graded([{}, {}], { terms, threshold: 0.3 });
      expect(found(lower)).toEqual([...equivalent, ['threshold']]);
      const said = `invalid: 80 of 80 cases have different pass thresholds on the two sides, ${name} (run both with the same threshold, or allow it with --across grader)`;
      expect(found(lower, { on: 'passed' })).toEqual(['invalid', said, ['threshold']]);
    }
  });

  test('what decides nothing may change: names, the order, weights of the same shares', () => {
    const renamed = graded([{ weight: 3 }, { weight: 3 }], { terms: 5 });
    for (const on of ['score', 'passed'] as const)
      expect(found(renamed, { on })).toEqual([...equivalent, null]);
  });

  test('under the same terms an agent may be graded on more or fewer parts', () => {
    expect(found(graded([{ required: 1 }, { weight: 2 }]), { on: 'passed' })).toEqual([...equivalent, null]);
  });

  test('runs that tell no terms are held against what their grades weigh', () => {
    const untold = (side: Written): Written => ({
      ...side,
      rows: side.rows.map((row) => ({ ...row, digests: { case: 0, target: 1 } })),
    });
    const [one, other] = [untold(plain), untold(graded([{ weight: 4 }, {}]))];
    expect([compare(one, one).verdict, compare(one, other).verdict]).toEqual(['equivalent', 'invalid']);
  });
});

test('digests are compared by content, wherever they stand in the list of a run', () => {
  const moved = many(80, 'p').map((row) => ({ ...row, digests: { case: 3, target: 1 } }));
  const digests = ['unused', 'target', 'grader', 'case'];
  expect(compare({ rows: many(80, 'p') }, { rows: moved, digests }).changed).toEqual([]);
});

test('a case counts once, by the mean of its measured repetitions', () => {
  const base = [...rowsOf('a', 'pppp'), ...rowsOf('b', 'pfe')];
  const candidate = [...rowsOf('a', 'pf'), ...rowsOf('b', 'ppp')];
  const found = compare({ rows: base, maxErrored: 1 }, { rows: candidate });
  expect({ worse: found.worse, better: found.better, means: found.means }).toEqual({
    worse: [{ suite: 's.eval.yaml', caseId: 'a', base: 1, candidate: 0.5, difference: -0.5 }],
    better: [{ suite: 's.eval.yaml', caseId: 'b', base: 0.5, candidate: 1, difference: 0.5 }],
    means: { base: 0.75, candidate: 0.75 },
  });
});

test('cases that are missing or unmeasured on a side leave the pairs and are listed', () => {
  const name = (caseId: string) => ({ suite: 's.eval.yaml', caseId });
  const allowed = { maxErrored: 9 };
  const base = [
    ...many(1, 'p'),
    ...rowsOf('old', 'p'),
    ...rowsOf('x', 'e'),
    ...rowsOf('y', 'p'),
    ...rowsOf('draft', 's'),
  ];
  const candidate = [
    ...many(1, 'p'),
    ...rowsOf('new', 'p'),
    ...rowsOf('x', 'e'),
    ...rowsOf('y', 'e'),
    ...rowsOf('draft', 's'),
  ];
  const found = compare({ rows: base, ...allowed }, { rows: candidate, ...allowed });
  expect([found.result?.pairs, found.onlyInBase, found.onlyInCandidate, found.notMeasured]).toEqual([
    1,
    [name('old')],
    [name('new')],
    [
      { ...name('x'), side: 'both' },
      { ...name('y'), side: 'candidate' },
    ],
  ]);
});

test('on passed, a score that changes without crossing the threshold does not count as a difference', () => {
  const base = Array.from({ length: 80 }, (_, i) => rowsOf(`c${i}`, 'p', { score: 1 })).flat();
  const candidate = base.map((row) => ({ ...row, score: 0.85 }));
  expect(compare({ rows: base }, { rows: candidate }).verdict).toBe('regressed');
  expect(compare({ rows: base }, { rows: candidate }, { on: 'passed' }).verdict).toBe('equivalent');
});

test('cost, tokens and latency are ratios of medians over cases, unknown where any of it is', () => {
  const rows = (factor: number) =>
    [1, 2, 3].flatMap((size) =>
      rowsOf(`c${size}`, 'pp', {
        costUsd: { agent: 0.01 * size * factor, judge: 5 },
        usage: { agent: { inputTokens: 0, outputTokens: 0, totalTokens: 100 * size } },
        latency: size === 1 ? [] : [factor * size, 3 * factor * size],
      }),
    );
  const { ratios } = compare({ rows: rows(1) }, { rows: rows(2) });
  expect(
    [ratios?.costUsd, ratios?.tokens, ratios?.latencyMs].map((ratio) => [ratio?.ratio, ratio?.cases]),
  ).toEqual([
    [2, 3],
    [1, 3],
    [2, 2],
  ]);
});

test('on scores, the cases whose verdicts flipped are named too, whatever their scores did', () => {
  const scored = (caseId: string, verdicts: string, score: number) =>
    rowsOf(caseId, verdicts).map((row) => ({ ...row, score }));
  const base = { rows: [...scored('a', 'pp', 0.8), ...scored('b', 'f', 0.7), ...scored('c', 'p', 0.9)] };
  const rows = [...scored('a', 'pf', 0.8), ...scored('b', 'p', 0.75), ...scored('c', 'p', 0.85)];
  const { passedLess, passedMore } = compare(base, { rows });
  expect({ passedLess, passedMore }).toEqual({
    passedLess: [{ suite: 's.eval.yaml', caseId: 'a', base: 1, candidate: 0.5, difference: -0.5 }],
    passedMore: [{ suite: 's.eval.yaml', caseId: 'b', base: 0, candidate: 1, difference: 1 }],
  });
  const onPassed = compare(base, { rows }, { on: 'passed' });
  expect([onPassed.passedLess, onPassed.passedMore]).toEqual([[], []]);
});

describe('a run of the cases that failed in another run', () => {
  const [whole, again] = [{ rows: worseBy(6) }, { rows: many(6, 'p'), chosenFrom: ['BASE', 'older'] }];
  const said = `invalid: CANDIDATE only contains cases that failed or errored in BASE (--failed), so even an unchanged agent looks different (compare two complete runs, or allow it with --across selection)`;

  test('is not compared with that run, on whichever side it stands', () => {
    const comparison = compare(whole, again);
    expect([comparison.reasons[0]?.code, comparisonSentence(comparison, OPTIONS)]).toEqual([
      'selection',
      said,
    ]);
    const turned = compare({ ...whole, chosenFrom: ['CANDIDATE'] }, { rows: many(40, 'p') });
    expect(turned.reasons[0]?.message).toMatch(
      /^BASE only contains cases that failed or errored in CANDIDATE /,
    );
  });

  test('is compared with it where that is asked for, and with a run that it was not chosen from', () => {
    expect(compare(whole, again, { across: ['selection'] }).verdict).toBe('improved');
    expect(compare(whole, { ...again, chosenFrom: ['another'] }).verdict).toBe('improved');
  });
});

describe('where gates decide', () => {
  const metric = { digest: 2, weight: 1 };
  const gate = { digest: 3, weight: 0, required: 0.8 };
  const digests = ['case', 'target', 'grader', 'gate', 'other'];
  const scored = (verdicts: string) => many(60, verdicts).map((row) => ({ ...row, score: 0.9 }));
  const side = (verdicts: string, graders: Written['graders'] = [metric, gate]): Written => ({
    rows: scored(verdicts),
    digests,
    graders,
  });
  const unasked = { on: undefined };

  test('most cases, whether they passed is compared unless the score is asked for', () => {
    const fallen = compare(side('p'), side('f'), unasked);
    expect([fallen.on, fallen.verdict, fallen.worse.length, fallen.verdicts]).toEqual([
      'passed',
      'regressed',
      60,
      null,
    ]);
    expect(comparisonSentence(fallen, OPTIONS)).toMatch(
      /^regressed: 60 of 60 cases got worse, none better, p < 0.001/,
    );
    const only = [{ ...metric, required: 0.8 }, gate];
    expect(compare(side('p', only), side('p', only), unasked).on).toBe('passed');
    const plain = [metric, { digest: 3, weight: 1 }];
    expect(compare(side('p', plain), side('p', plain), unasked).on).toBe('score');
  });

  test('cases that newly fail at the same score are reported with their gates', () => {
    const fallen = compare(side('p'), side('f'), { on: 'score' });
    expect(fallen.verdicts).toEqual({
      less: 60,
      more: 0,
      lessAtSameScore: 60,
      moreAtSameScore: 0,
      p: 1 / 10_001,
      isMoreThanChance: true,
    });
    expect([fallen.verdict, comparisonSentence(fallen, { ...OPTIONS, fallen: ['policy', 'tone'] })]).toEqual([
      'equivalent',
      'equivalent: the difference over 60 cases is 0 points [-5, +5], all of it within 5 points; none of 60 cases got better or worse; 60 cases newly fail at the same score, more than chance explains (p < 0.001); newly failing required graders: policy, tone',
    ]);
  });

  test('a few newly failed cases are reported, but chance can explain them', () => {
    const two = { ...side('p'), rows: [...scored('f').slice(0, 2), ...scored('p').slice(2)] };
    const fallen = compare(side('p'), two, { on: 'score' });
    expect(fallen.verdicts).toMatchObject({ less: 2, isMoreThanChance: false });
    expect(comparisonSentence(fallen, { ...OPTIONS, fallen: ['policy'] })).toMatch(
      /; 2 cases newly fail at the same score; newly failing required graders: policy$/,
    );
    expect(comparisonSentence(compare(two, side('p'), { on: 'score' }), OPTIONS)).toMatch(
      /; 2 cases newly pass at the same score$/,
    );
  });

  test('a grader of weight 0 may be added or removed, unless it is a gate', () => {
    const shown = { digest: 4, weight: 0 };
    const plain = [metric];
    for (const on of ['score', 'passed'] as const) {
      const added = compare(side('p', plain), side('p', [metric, shown]), { on });
      expect([added.verdict, added.changed]).toEqual(['equivalent', []]);
      expect(compare(side('p', [shown, metric]), side('p', plain), { on }).verdict).toBe('equivalent');
      expect(compare(side('p', plain), side('p', [metric, gate]), { on }).verdict).toBe('invalid');
    }
  });
});

test('a base that ran once and a candidate that ran more often are compared by drawing trials anew', () => {
  const [once, often] = [
    { rows: many(40, 'p') },
    {
      rows: [
        ...many(37, 'pppp'),
        ...rowsOf('c37', 'pfpp'),
        ...rowsOf('c38', 'ppfp'),
        ...rowsOf('c39', 'pppf'),
      ],
    },
  ];
  const { result } = compare(once, often);
  expect([result?.unequal, result?.draws, result?.worse]).toEqual([40, 'all', 3]);
  // Each of the three failures could have been the base's only trial with a chance of 1 in 5: (4/5)^3, twice.
  expect(result?.p).toBe(1);
  const equal = compare(once, once).result;
  expect(equal?.unequal).toBe(0);
});

test('several targets hold at alpha together, and the sentence says of how many', () => {
  const sides = (falls: number) => {
    const numbers = numbering();
    const side = (name: string, rows: readonly Row[]) => {
      const collector = collectCases(['case', 'target', 'grader'], numbers);
      for (const row of rows)
        collector.add({ ...row, caseDigest: 0, graders: [{ digest: 2, weight: 1 }], tokens: 1, costUsd: 0 });
      const table = collector.tables().get('agent') ?? emptyTable();
      return { name, table, runs: [name], chosenFrom: [], state: 'completed', maxErrored: 0 } as const;
    };
    return { base: side('BASE', many(40, 'p')), candidate: side('CANDIDATE', worseBy(falls)) };
  };
  const { comparisons } = compareAll([sides(6), sides(9), sides(0)], OPTIONS);
  expect(comparisons.map(({ verdict, result }) => [verdict, result?.p, result?.level])).toEqual([
    ['inconclusive', 0.031_25, 0.025],
    ['regressed', 0.003_906_25, 0.05 / 3],
    ['inconclusive', 1, 0.025],
  ]);
  expect(
    comparisonSentence(comparisons[1] as (typeof comparisons)[number], { ...OPTIONS, targets: 3 }),
  ).toMatch(
    /^regressed: 9 of 40 cases got worse, none better, p = 0.004 \(one of 3 targets, so p must be below 0.017\); /,
  );
});

test('whether more cases newly fail than chance explains holds for all targets together, whatever their scores do', () => {
  const sides = (lowered: number) => {
    const numbers = numbering();
    const side = (name: string, falls: number, low: number) => {
      const collector = collectCases(['case', 'target', 'grader'], numbers);
      for (const [i, row] of worseBy(falls).entries()) {
        const shared = { caseDigest: 0, graders: [{ digest: 2, weight: 1 }], tokens: 1, costUsd: 0 };
        collector.add({ ...row, ...shared, score: i < low ? 0.5 : 1 });
      }
      const table = collector.tables().get('agent') ?? emptyTable();
      return { name, table, runs: [name], chosenFrom: [], state: 'completed', maxErrored: 0 } as const;
    };
    return { base: side('BASE', 0, 0), candidate: side('CANDIDATE', 6, lowered) };
  };
  const shown = (all: readonly ReturnType<typeof sides>[]) =>
    compareAll(all, OPTIONS).comparisons.map(({ verdicts }) => [verdicts?.p, verdicts?.isMoreThanChance]);
  expect(shown([sides(0)])).toEqual([[0.031_25, true]]);
  expect(shown([sides(9), sides(0)])).toEqual([
    [0.031_25, false],
    [0.031_25, false],
  ]);
});

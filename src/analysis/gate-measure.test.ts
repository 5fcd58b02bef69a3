import { describe, expect, test } from 'vitest';

import type { Row } from '../core/run.ts';
import { readGate } from './gate-expression.ts';
import { gateMeter } from './gate-measure.ts';
import { rowsOf, rowWith } from './row.fixture.ts';

const outcome = (text: string, rows: readonly Row[]) => {
  const read = readGate(text);
  if ('fault' in read) throw new Error(read.fault.message);
  const meter = gateMeter(read.gate, (expectation) => [{ expectation, unusable: 'not calibrated' }]);
  for (const row of rows) meter.add(row);
  const { gate: _gate, ...rest } = meter.outcome();
  return rest;
};

const cases = (count: number, verdicts: string) =>
  Array.from({ length: count }, (_, i) => rowsOf(`case-${i}`, verdicts)).flat();

describe('each metric', () => {
  const rows = [...rowsOf('a', 'ppp'), ...rowsOf('b', 'ppf'), ...rowsOf('c', 'ffe')];

  test.each([
    ['pass_rate >= 0.6', { holds: true, value: 0.625, says: '5/8 passed' }],
    ['pass_rate >= 0.7', { holds: false, value: 0.625, says: '5/8 passed' }],
    ['score.mean >= 0.6', { holds: true, value: 0.625, says: 'the mean of 8 scores' }],
    ['pass^2 >= 0.4', { holds: true, value: 0.444_444_444, says: 'the mean over 3 cases' }],
    ['pass@2 >= 0.7', { holds: false, value: 0.666_666_667, says: 'the mean over 3 cases' }],
    ['pass^3 >= 0.5', { holds: true, value: 0.5, says: 'the mean over 2 cases' }],
    [
      'flake_rate <= 0.3',
      {
        holds: false,
        value: 0.5,
        says: '1 of 2 cases are flaky at 3 repetitions; 1 case with fewer left out',
      },
    ],
    ['errored <= 1', { holds: true, value: 1, says: '1 trial errored' }],
    [
      'latency.p95 < 100',
      { holds: null, value: null, says: 'it needs at least 20 agent turns, but only 0 were measured' },
    ],
    ['pass@4 >= 0.5', { holds: null, value: null, says: 'no case was measured 4 times' }],
    [
      'pass_rate.lower95 >= 0.1',
      {
        holds: null,
        value: null,
        says: 'with repetitions, pass_rate.lower95 needs at least 20 cases, but there are only 3',
      },
    ],
  ])('%s', (text, expected) => {
    expect(outcome(text, rows)).toEqual(expected);
  });

  test('nothing measured decides nothing', () => {
    expect(outcome('pass_rate >= 0', rowsOf('a', 'ee'))).toEqual({
      holds: null,
      value: null,
      says: 'nothing was measured',
    });
  });
});

test('a case that was only skipped does not make repetitions differ', () => {
  const rows = [...rowsOf('a', 'ppp'), ...rowsOf('b', 'pee'), ...rowsOf('draft', 's')];
  expect(outcome('pass_rate >= 0.8', rows)).toEqual({ holds: true, value: 1, says: '4/4 passed' });
});

describe('where repetitions differ between cases, each case counts once', () => {
  const failing = ['b', 'c', 'd', 'e', 'f'].flatMap((id) => rowsOf(id, 'f'));
  const rows = [...rowsOf('a', 'p'.repeat(30)), ...failing];

  test.each([
    [
      'pass_rate >= 0.8',
      {
        holds: false,
        value: 0.166_666_667,
        says: '30/35 passed; numbers of repetitions differ, so each of 6 cases counts once',
      },
    ],
    [
      'score.mean >= 0.8',
      {
        holds: false,
        value: 0.166_666_667,
        says: '35 scores; numbers of repetitions differ, so each of 6 cases counts once',
      },
    ],
  ])('%s', (text, expected) => {
    expect(outcome(text, rows)).toEqual(expected);
  });

  test('also in pass_rate.lower95, to which a case that ran 100 times brings no more than one', () => {
    const often = [...cases(19, 'p'), ...rowsOf('often', `${'p'.repeat(50)}${'f'.repeat(50)}`)];
    expect(outcome('pass_rate.lower95 >= 0.8', often)).toEqual({
      holds: true,
      value: 0.826_728_897,
      says: '69/119 passed in 20 cases, equivalent to 21 independent trials',
    });
  });

  test('an errored repetition makes none of that', () => {
    expect(outcome('pass_rate >= 0.8', [...rowsOf('a', 'ppf'), ...rowsOf('b', 'pfe')])).toEqual({
      holds: false,
      value: 0.6,
      says: '3/5 passed',
    });
  });
});

describe('pass_rate.lower95', () => {
  test.each([
    [14, 0.8, true],
    [13, 0.8, false],
    [59, 0.95, true],
    [58, 0.95, false],
  ])('%d clean trials against %d', (count, bar, holds) => {
    expect(outcome(`pass_rate.lower95 >= ${bar}`, cases(count, 'p')).holds).toBe(holds);
  });

  test('repetitions that all agree count as one trial a case', () => {
    expect(outcome('pass_rate.lower95 >= 0.86', cases(20, 'ppppp'))).toEqual({
      holds: true,
      value: 0.860_891_659,
      says: '100/100 passed in 20 cases, equivalent to 20 independent trials',
    });
  });

  test('a number of independent trials that is almost whole is reported as a whole number', () => {
    const named = (name: string, count: number, verdicts: string) =>
      Array.from({ length: count }, (_, i) => rowsOf(`${name}${i}`, verdicts)).flat();
    const mixed = [...named('all', 17, 'ppppp'), ...named('most', 7, 'ppppf'), ...named('few', 1, 'ppfff')];
    expect(outcome('pass_rate.lower95 >= 0.5', mixed).says).toBe(
      '115/125 passed in 25 cases, equivalent to 92 independent trials',
    );
  });

  test('two targets of one case are no two cases', () => {
    const both = [...cases(20, 'p'), ...cases(20, 'p').map((row) => ({ ...row, target: 'other' }))];
    expect(outcome('pass_rate.lower95 >= 0.86', both).says).toBe(
      '40/40 passed in 20 cases, equivalent to 20 independent trials',
    );
  });
});

describe('money', () => {
  const spent = (costUsd: Row['costUsd']) => rowWith({ costUsd });

  test('of all who spend is added up', () => {
    expect(outcome('cost.total <= 0.3', [spent({ agent: 0.1, judge: 0.02 }), spent({ agent: 0.2 })])).toEqual(
      {
        holds: false,
        value: 0.32,
        says: 'USD, all calls',
      },
    );
  });

  test('that is unknown decides nothing, unless what is known is too much', () => {
    const rows = [spent({ agent: 0.1 }), spent({ agent: null }), spent({})];
    const says = 'at least $0.1: the cost of 2 trials is unknown';
    expect(outcome('cost.total <= 0.3', rows)).toEqual({ holds: null, value: null, says });
    expect(outcome('cost.total < 0.1', rows)).toEqual({ holds: false, value: null, says });
    expect(outcome('cost.total <= 0.3', [spent({})]).says).toBe('the cost of 1 trial is unknown');
    const all = { agent: null, user: null, judge: null };
    expect(outcome('cost.total <= 0.3', [spent(all)]).says).toBe('the cost of 1 trial is unknown');
  });

  test('of attempts that were given up counts up to what the run has spent', () => {
    const outcomeWith = (spentUsd: number, text = 'cost.total <= 0.3') => {
      const read = readGate(text);
      if ('fault' in read) throw new Error(read.fault.message);
      const meter = gateMeter(read.gate, () => [], { free: new Set(), spentUsd });
      meter.add(spent({ agent: 0.2 }));
      const { holds, value } = meter.outcome();
      return { holds, value };
    };
    expect(outcomeWith(0.2)).toEqual({ holds: true, value: 0.2 });
    expect(outcomeWith(0.25)).toEqual({ holds: true, value: 0.25 });
    expect(outcomeWith(0.4)).toEqual({ holds: null, value: null });
    expect(outcomeWith(0.4, 'cost.total <= 0.1')).toEqual({ holds: false, value: 0.4 });
    expect(outcomeWith(0.4, 'cost.total[target=agent] <= 0.3')).toEqual({ holds: true, value: 0.2 });
  });

  test('of a target that costs nothing is that of its user and judge', () => {
    const read = readGate('cost.total <= 0.3');
    if ('fault' in read) throw new Error(read.fault.message);
    const meter = gateMeter(read.gate, () => [], { free: new Set(['agent']) });
    meter.add(spent({ judge: 0.02 }));
    meter.add(spent({}));
    expect(meter.outcome()).toMatchObject({ holds: true, value: 0.02 });
  });
});

test('the 95th percentile is of agent turns', () => {
  const rows = Array.from({ length: 10 }, (_, i) =>
    rowWith({ caseId: `${i}`, latency: [100 * i, 100 * i + 50] }),
  );
  expect(outcome('latency.p95 < 947', rows)).toEqual({ holds: false, value: 947.5, says: 'ms, of 20 turns' });
});

test('tags and target select the trials', () => {
  const rows = [
    rowWith({ caseId: 'a', tags: ['smoke', 'fast'] }),
    rowWith({ caseId: 'b', tags: ['smoke'], verdict: 'failed' }),
    rowWith({ caseId: 'c', target: 'other', verdict: 'failed' }),
  ];
  expect(
    [
      'pass_rate >= 0',
      'pass_rate[tag=smoke] >= 0',
      'pass_rate[tag=smoke][tag=fast] >= 0',
      'pass_rate[target=other] >= 0',
    ].map((text) => outcome(text, rows).says),
  ).toEqual(['1/3 passed', '1/2 passed', '1/1 passed', '0/1 passed']);
});

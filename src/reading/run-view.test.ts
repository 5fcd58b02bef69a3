import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Fact, Row, RunEvent } from '../core/run.ts';
import { rowWith } from '../core/row.fixture.ts';
import { runFold, type RunView } from './run-view.ts';
import { emptyTally } from './tally.ts';
import { trialKey } from '../core/trial.ts';
import type { Verdict } from '../core/verdict.ts';

function row(overrides: Partial<Row> = {}): Row {
  return rowWith({
    target: 'bot',
    attempts: [{ durationMs: 10 }],
    durationMs: 10,
    latency: [4, 6],
    turns: 2,
    steps: 2,
    usage: { agent: { inputTokens: 5, outputTokens: 1, totalTokens: 6 } },
    costUsd: { agent: 0.5, judge: null },
    ...overrides,
  });
}

const start: Fact = {
  type: 'run-start',
  formatVersion: 1,
  plan: { trials: 3, trialsByTarget: { bot: 3 }, seed: 1 },
  digests: { suites: {}, targets: {} },
};

function viewOf(facts: readonly (Fact | { readonly trial: string; readonly fact: Fact })[]): RunView {
  const fold = runFold();
  facts.forEach((each, index) => {
    const event: RunEvent = {
      sequence: index + 1,
      at: `2026-01-01T00:00:0${index % 10}.000Z`,
      ...('fact' in each ? each : { fact: each }),
    };
    fold.apply(event);
  });
  return fold.view();
}

const begun = (trial: Row) => ({ trial: trialKey(trial), fact: { type: 'trial-start' } as const });
const ended = (trial: Row) => ({ trial: trialKey(trial), fact: { type: 'trial-end', row: trial } as const });
const measured = { n: 1, sum: 10, max: 10 };

test('a run is its plan, what is in flight and what ended, by target', () => {
  const other = row({ caseId: 'd' });
  expect(viewOf([start, begun(row()), begun(other), ended(row())])).toEqual({
    state: 'running',
    planned: 3,
    ended: 1,
    inFlight: 1,
    startedAt: '2026-01-01T00:00:00.000Z',
    at: '2026-01-01T00:00:03.000Z',
    sinkErrors: [],
    total: expect.objectContaining({ counts: { ...emptyTally.counts, total: 1, passed: 1 } }),
    targets: [
      {
        target: 'bot',
        planned: 3,
        inFlight: 1,
        counts: { ...emptyTally.counts, total: 1, passed: 1 },
        byStatus: { ...emptyTally.byStatus, passed: 1 },
        erroredBy: {},
        skippedBy: {},
        firstAttempt: { passed: 1, failed: 0, errored: 0 },
        retried: 0,
        repetitions: 1,
        simulated: { trials: 0, flagged: 0 },
        outcomes: { asked: 0, held: 0 },
        score: { n: 1, sum: 1, max: 1 },
        durationMs: measured,
        latencyMs: { n: 2, sum: 10, max: 6 },
        usage: { agent: { inputTokens: 5, outputTokens: 1, totalTokens: 6 } },
        costUsd: {
          agent: { knownUsd: 0.5, known: 1, unknown: 0 },
          user: { knownUsd: 0, known: 0, unknown: 0 },
          judge: { knownUsd: 0, known: 0, unknown: 1 },
        },
      },
    ],
  });
});

test('notes of the run, and of trials that had ended, are counted and kept once each', () => {
  const note = (text: string): Fact => ({ type: 'note', text });
  const of = (trial: Row, text: string) => ({ trial: trialKey(trial), fact: note(text) });
  expect(viewOf([start]).notes).toBeUndefined();
  const facts = [start, note('old program'), begun(row()), of(row(), 'in the row'), ended(row())];
  expect(viewOf([...facts, of(row(), 'late'), note('old program')]).notes).toEqual({
    count: 2,
    first: ['old program', 's/c/bot/r1: late'],
  });
  const many = Array.from({ length: 25 }, (_, index) => note(`note ${index}`));
  expect(viewOf([...many, ...many]).notes).toEqual({
    count: 25,
    first: Array.from({ length: 20 }, (_, index) => `note ${index}`),
  });
});

test('of an errored trial that was tried again only the last end counts', () => {
  const error = { stage: 'target', kind: 'http-error', code: 'http-error', message: '503' } as const;
  const errored = row({ verdict: 'errored', error, attempts: [{ error, durationMs: 1 }] });
  const passed = row({ attempts: [{ error, durationMs: 1 }, { durationMs: 10 }] });
  expect(viewOf([start, ended(errored)]).total).toMatchObject({
    counts: { total: 1, errored: 1 },
    erroredBy: { 'target/http-error': 1 },
    durationMs: { n: 0 },
  });
  const { total } = viewOf([start, ended(errored), { type: 'run-resume', remaining: 1 }, ended(passed)]);
  expect(total).toEqual({
    ...viewOf([ended(passed)]).total,
    firstAttempt: { passed: 0, failed: 0, errored: 1 },
    retried: 1,
  });
  expect(total.counts).toEqual({ ...emptyTally.counts, total: 1, passed: 1 });
});

test('a view seeded from rows counts a trial that is tried again once', () => {
  const seeded = row({ verdict: 'errored', attempts: [{ durationMs: 1 }] });
  const again = row({ attempts: [{ durationMs: 1 }, { durationMs: 10 }] });
  const fold = runFold();
  fold.add(seeded);
  fold.add(row({ caseId: 'other' }));
  const at = '2026-01-01T00:00:00.000Z';
  fold.apply({ sequence: 9, at, fact: { type: 'run-resume', remaining: 1 } });
  fold.apply({ sequence: 10, at, trial: trialKey(again), fact: { type: 'trial-start' } });
  fold.apply({ sequence: 11, at, ...ended(again) });
  const whole = viewOf([ended(row({ caseId: 'other' })), ended(again)]);
  expect({ ...fold.view(), at: whole.at, planned: 0 }).toEqual(whole);
});

test('a skipped trial is counted by why, and in no rate', () => {
  const { total } = viewOf([ended(row({ verdict: 'skipped', skipped: 'draft', attempts: [] }))]);
  expect(total.skippedBy).toEqual({ draft: 1 });
  expect(total.firstAttempt).toEqual({ passed: 0, failed: 0, errored: 0 });
});

test('an interrupted run has nothing in flight, and runs again when it is resumed', () => {
  const facts: (Fact | ReturnType<typeof begun>)[] = [
    start,
    begun(row()),
    { type: 'run-state', state: 'interrupted', reason: 'Ctrl-C' },
    { type: 'run-end', state: 'interrupted' },
  ];
  const { state, reason, inFlight } = viewOf(facts);
  expect({ state, reason, inFlight }).toEqual({ state: 'interrupted', reason: 'Ctrl-C', inFlight: 0 });
  const resumed = viewOf([...facts, { type: 'run-resume', remaining: 3 }]);
  expect([resumed.state, resumed.reason, resumed.planned]).toEqual(['running', undefined, 3]);
});

test('what a met budget left undone counts as skipped until the run is resumed', () => {
  const facts: (Fact | ReturnType<typeof ended>)[] = [
    start,
    ended(row()),
    { type: 'run-state', state: 'stopped', reason: 'budget' },
    { type: 'run-end', state: 'stopped' },
  ];
  const stopped = viewOf(facts);
  const counts = { ...emptyTally.counts, total: 3, passed: 1, skipped: 2 };
  expect([stopped.ended, stopped.total.counts, stopped.targets[0]?.counts]).toEqual([1, counts, counts]);
  expect([stopped.total.skippedBy, stopped.total.byStatus.skipped]).toEqual([{ budget: 2 }, 2]);
  const resumed = viewOf([...facts, { type: 'run-resume', remaining: 2 }]);
  expect([resumed.total.counts.skipped, resumed.total.skippedBy]).toEqual([0, {}]);
});

test.each([
  ['somebody pressed Ctrl-C', { state: 'interrupted', reason: 'Ctrl-C' } as const],
  ['a person cancelled it, or a first failure ended it', { state: 'stopped' } as const],
])('trials that are not done when %s count as skipped', (_, state) => {
  const facts: (Fact | ReturnType<typeof ended>)[] = [
    start,
    ended(row()),
    ended(row({ caseId: 'd', verdict: 'cancelled' })),
    { type: 'run-state', ...state },
    { type: 'run-end', state: state.state },
  ];
  const { ended: ends, total, targets } = viewOf(facts);
  const counts = { ...emptyTally.counts, total: 3, passed: 1, skipped: 1, cancelled: 1 };
  expect([ends, total.counts, targets[0]?.counts]).toEqual([2, counts, counts]);
  expect(total.skippedBy).toEqual({ 'run-stopped': 1 });
});

test('what a process that died left undone counts as nothing yet', () => {
  const { total } = viewOf([start, ended(row()), { type: 'run-state', state: 'interrupted' }]);
  expect(total.counts).toEqual({ ...emptyTally.counts, total: 1, passed: 1 });
});

test('a reader that missed the start learns the plan at the resumption', () => {
  expect(viewOf([ended(row()), { type: 'run-resume', remaining: 2 }]).planned).toBe(3);
});

test('a sink that was dropped is named', () => {
  expect(viewOf([start, { type: 'sink-error', sink: 'junit', message: 'no space' }]).sinkErrors).toEqual([
    { sink: 'junit', message: 'no space' },
  ]);
});

const trial = fc.record({
  caseId: fc.constantFrom('a', 'b', '__proto__'),
  target: fc.constantFrom('bot', 'constructor'),
  verdict: fc.constantFrom<Verdict>('passed', 'failed', 'errored', 'skipped', 'cancelled'),
});

test('the fold of the events equals that of the last rows, and of rows and the events behind them', () => {
  const trials = fc.array(trial, { maxLength: 20 });
  fc.assert(
    fc.property(trials, fc.nat(20), (drawn, seeds) => {
      const written = writtenOf(drawn);
      const { total } = viewOf(written.map(ended));
      for (const behind of [written.slice(seeds), []]) {
        const fold = runFold();
        const rows = written.slice(0, written.length - behind.length);
        for (const each of new Map(rows.map((one) => [trialKey(one), one])).values()) fold.add(each);
        for (const [index, each] of behind.entries()) {
          fold.apply({ sequence: index + 1, at: each.endedAt, ...ended(each) });
        }
        const { counts, byStatus, costUsd, usage } = fold.view().total;
        expect(total).toMatchObject({ counts, byStatus, costUsd });
        expect(total.usage.agent?.totalTokens).toBe(usage.agent?.totalTokens);
      }
      const { total: all, ...verdicts } = total.counts;
      expect(Object.values(verdicts).reduce((sum, count) => sum + count, 0)).toBe(all);
    }),
  );
});

/** Only an errored or cancelled trial is run again. */
function writtenOf(drawn: readonly Partial<Row>[]): readonly Row[] {
  const last = new Map<string, Verdict>();
  return drawn.map(row).filter((next) => {
    const before = last.get(trialKey(next));
    if (before !== undefined && before !== 'errored' && before !== 'cancelled') return false;
    last.set(trialKey(next), next.verdict);
    return true;
  });
}

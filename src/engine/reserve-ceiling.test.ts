import { describe, expect, test } from 'vitest';

import { BudgetSpent } from '../core/errors.ts';
import { openLedger } from './ledger.ts';
import type { Yielded } from '../core/target.ts';
import { runSchedule } from './run-schedule.ts';
import {
  brokenTurn,
  expects,
  graderOf,
  says,
  sceneOf,
  targetOf,
  turnOf,
  type Scene,
} from './fixtures/trial-context.ts';
import { runTrial } from './run-trial.ts';

const never = new AbortController().signal;

const costs = (costUsd: number): Yielded => ({ type: 'usage', costUsd });

/** A trial whose session may cost a dollar, of a run that may cost `capUsd`. */
function sceneUnder(capUsd: number, entries: readonly Yielded[], ceilingUsd = 1) {
  const ledger = openLedger(capUsd);
  const plain = sceneOf({ target: targetOf([turnOf(entries)]) });
  const settingsFor: Scene['context']['settingsFor'] = (testCase, target) => ({
    ...plain.context.settingsFor(testCase, target),
    ceilingUsd,
  });
  return { ...plain, ledger, context: { ...plain.context, ledger, settingsFor } };
}

describe('an agent that tells at its end what it spent', () => {
  test('has its ceiling set aside, and what it did not spend is given back', async () => {
    const { trial, context, ledger } = sceneUnder(1, [says('hi'), costs(0.25)]);
    const row = await runTrial(trial, context, never);
    expect([row?.verdict, ledger.spentUsd(), ledger.reservedUsd()]).toEqual(['passed', 0.25, 0]);
  });

  test('counts with its whole ceiling where it tells nothing or breaks off', async () => {
    const silent = sceneUnder(3, [says('hi')]);
    await runTrial(silent.trial, silent.context, never);
    expect(silent.ledger.spentUsd()).toBe(1);
    const broken = targetOf([brokenTurn([costs(0.25)], new Error('crash'))]);
    await runTrial(silent.trial, { ...silent.context, target: async () => broken }, never);
    expect(silent.ledger.spentUsd()).toBe(2);
  });

  test('that reports more than its ceiling has the difference reserved before it is logged, and continues', async () => {
    const { trial, context, ledger } = sceneUnder(9, [costs(0.75), costs(0.5), costs(2), says('hi')]);
    const seen: number[] = [];
    const emit: Scene['context']['emit'] = ({ fact }) => {
      if (fact.type === 'transcript-entry') seen.push(ledger.reservedUsd());
    };
    await runTrial(trial, { ...context, emit }, never);
    // The user's message, three times usage, the answer.
    expect(seen).toEqual([1, 1, 1.25, 3.25, 3.25]);
    expect([ledger.spentUsd(), ledger.reservedUsd()]).toEqual([3.25, 0]);
  });

  test('that tells only a part of what it spent counts with its ceiling, or that part where it is more', async () => {
    const unknown: Yielded = { type: 'usage', inputTokens: 5, outputTokens: 5, totalTokens: 10 };
    const { trial, context, ledger } = sceneUnder(9, [costs(3), unknown, says('hi')]);
    await runTrial(trial, context, never);
    expect(ledger.spentUsd()).toBe(3);
  });

  test('costs nothing where its session never opened', async () => {
    const { trial, context, ledger } = sceneUnder(1, []);
    const closed = { open: () => Promise.reject(new Error('no such program')) };
    const row = await runTrial(trial, { ...context, target: async () => closed }, never);
    expect([row?.verdict, ledger.spentUsd(), ledger.reservedUsd()]).toEqual(['errored', 0, 0]);
  });

  test('is not started when its ceiling does not fit, and its trial has no end', async () => {
    const { trial, context, ledger, facts, worlds } = sceneUnder(0.5, [says('hi')]);
    expect(await runTrial(trial, context, never)).toBeUndefined();
    expect([worlds, facts('trial-end'), facts('attempt-end')]).toEqual([[], [], []]);
    expect(ledger.refused()?.message).toBe(
      '$0 of $0.5 is spent; not enough is left for a trial of the target "bot", which may cost up to $1',
    );
  });
});

describe('money that is used up', () => {
  const spent = graderOf(new BudgetSpent('$1 of $1 is spent'));

  test('while a trial is graded leaves it without an end and without a grade', async () => {
    const scene = sceneOf({ testCase: { expectations: [expects('judged')] }, graders: { judged: spent } });
    expect(await runTrial(scene.trial, scene.context, never)).toBeUndefined();
    expect([scene.facts('grade'), scene.facts('trial-end')]).toEqual([[], []]);
  });

  test('stops the run: nothing more is started, and it was stopped', async () => {
    const { trial, context, ledger } = sceneUnder(1.5, [says('hi'), costs(1)]);
    const trials = [1, 2, 3, 4].map((repetition) => ({
      ...trial,
      repetition,
      key: `s/x/bot/r${repetition}`,
    }));
    const started: number[] = [];
    const state = await runSchedule({
      schedule: {
        next: () => {
          const next = trials.shift();
          if (next !== undefined) started.push(next.repetition);
          return next === undefined ? undefined : { trial: next };
        },
        ended: () => {},
      },
      context,
      runOne: (next, signal) => runTrial(next, context, signal),
      concurrency: 1,
      control: { stop: never, abandon: never },
      failFast: false,
      mustEnd: () => ledger.refused() !== undefined,
    });
    expect([state, started.slice(0, 2), ledger.spentUsd()]).toEqual(['stopped', [1, 2], 1]);
    expect(started).not.toContain(4);
  });
});

import { expect, test } from 'vitest';

import type { Fact, Row } from '../../core/run.ts';
import { trialsOf, type Plan } from '../../engine/plan.ts';
import { caseOf, planOf, suiteOf } from '../../engine/fixtures/suites.ts';
import { keptNumbers } from './kept-numbers.ts';

const planned = (...ids: readonly string[]): Plan =>
  planOf([
    suiteOf(
      's',
      ids.map((id) => caseOf(id)),
    ),
  ]);

const start = (trials: number): Fact => ({
  type: 'run-start',
  formatVersion: 1,
  plan: { trials, seed: 1 },
  digests: { suites: {}, targets: {} },
});

/** The numbers of a plan's trials after a log of these facts; a trial is named by its case. */
function numbersAfter(
  facts: readonly (Fact | readonly [string, Fact])[],
  plan: Plan,
  plans: 'same-plan' | 'other-plan',
): Readonly<Record<string, number>> {
  const numbers = keptNumbers();
  for (const each of facts) {
    const [trial, fact] = 'type' in each ? [undefined, each] : [`s/${each[0]}/bot/r1`, each[1]];
    numbers.add({ sequence: 1, at: '', ...(trial === undefined ? {} : { trial }), fact });
  }
  const numberOf = numbers.under(plan, plans);
  return Object.fromEntries([...trialsOf(plan, 'bot', 0)].map((trial) => [trial.caseId, numberOf(trial)]));
}

const started = (id: string, number: number) => [id, { type: 'trial-start', number }] as const;
const ended = (id: string, number: number) =>
  [id, { type: 'trial-end', row: { number, caseId: id } as Row }] as const;

test('the same plan numbers its trials by their places, whether they began or not', () => {
  const facts = [start(3), started('b', 2), ended('b', 2), started('c', 3)];
  expect(numbersAfter(facts, planned('a', 'b', 'c'), 'same-plan')).toEqual({ a: 1, b: 2, c: 3 });
});

test('trials that were planned later get the next numbers, in the order of the plan', () => {
  const facts = [start(3), started('a', 1), ended('b', 2)];
  const plan = planned('x', 'a', 'y', 'b');
  const numbers = { x: 4, a: 1, y: 5, b: 2 };
  expect(numbersAfter(facts, plan, 'other-plan')).toEqual(numbers);
  const replanned: Fact = { type: 'run-resume', remaining: 2, plan: { trials: 4, seed: 1 } };
  expect(numbersAfter([...facts, replanned, started('y', 5)], plan, 'same-plan')).toEqual({
    ...numbers,
    x: 6,
  });
});

test('in a log that is numbered by its first ends, numbering continues after the last one', () => {
  const facts = [start(4), ended('c', 1), ended('a', 2)];
  expect(numbersAfter(facts, planned('a', 'b', 'c', 'd'), 'same-plan')).toEqual({ a: 2, b: 3, c: 1, d: 4 });
});

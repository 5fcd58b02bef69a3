import { expect, test } from 'vitest';

import { emptyTally, type Tally } from './tally.ts';
import { usageOf } from '../core/usage.ts';
import type { Row } from '../core/run.ts';
import { doubtText, endText, rowSpendingText, spendingText } from './conversation-words.ts';
import { costsText, costText, rowCosts } from './phrases.ts';

const cost = (knownUsd: number, known: number, unknown: number) => ({ knownUsd, known, unknown });

test('the cost of each role is listed separately if others than the agent spent anything', () => {
  const tally: Tally = {
    ...emptyTally,
    usage: { agent: usageOf(10, 2), user: usageOf(3, 1) },
    costUsd: { agent: cost(0.015, 2, 1), user: cost(0, 0, 2), judge: cost(0.5, 1, 0) },
  };
  const { agent } = tally.costUsd;
  expect(spendingText({ ...tally, costUsd: { ...emptyTally.costUsd, agent } })).toBe(undefined);
  expect(spendingText(tally)).toBe(
    'spent: agent 12 tokens, at least $0.015, 1 unknown; simulated users 4 tokens, cost unknown; judges tokens unknown, $0.5',
  );
});

test('an agent that costs nothing, such as a replay, has no cost, and is not said to have an unknown one', () => {
  const tally: Tally = {
    ...emptyTally,
    usage: { agent: usageOf(10, 2), judge: usageOf(3, 1) },
    costUsd: { ...emptyTally.costUsd, judge: cost(0.5, 1, 0) },
  };
  expect(spendingText(tally)).toBe('spent: agent 12 tokens, no cost; judges 4 tokens, $0.5');
  expect([costText(cost(0, 0, 0)), costText(cost(0, 0, 2)), costText(cost(0, 2, 0))]).toEqual([
    '-',
    'unknown',
    '$0',
  ]);
});

test('the cost of an agent never includes its judges', () => {
  const judged = { costUsd: { agent: 0.0009, judge: 0.0671 } } as unknown as Row;
  expect(costsText(rowCosts(judged))).toBe('agent $0.0009, judges $0.0671');
  expect(costsText(rowCosts({ ...judged, costUsd: { agent: 0.0009 } }))).toBe('$0.0009');
  expect(costsText(rowCosts({ ...judged, costUsd: { judge: null } }))).toBe('judges unknown');
  expect(costsText(rowCosts({ ...judged, costUsd: {} }))).toBe(undefined);
});

test('doubtful users are counted', () => {
  const of = (trials: number, flagged: number) =>
    doubtText({ ...emptyTally, simulated: { trials, flagged } });
  expect(of(4, 0)).toBe(undefined);
  expect(of(4, 2)).toBe(
    'in 2 of 4 trials, the simulated user may have broken its rules: check its messages before you trust the verdicts',
  );
});

test.each<[Pick<Row, 'end' | 'limit'>, string | undefined]>([
  [{ end: { by: 'agent', reason: 'tool:bye' } }, 'ended by the agent (tool:bye)'],
  [{ end: { by: 'user' } }, 'ended by the user'],
  [{ end: { by: 'script' } }, 'ended with the script'],
  [{ end: { by: 'cap' } }, 'ended at the limit for turns'],
  [
    { limit: { kind: 'token-limit', ceiling: 100, reached: 120 } },
    'stopped at a limit (token-limit 100, reached 120)',
  ],
  [{}, undefined],
])('the end %j is told as %j', (row, text) => {
  expect(endText(row)).toBe(text);
});

test('a trial shows the cost of its user, and nothing without a user', () => {
  const row = { usage: { user: usageOf(3, 1) }, costUsd: { agent: 0.25, user: null } } as unknown as Row;
  expect(rowSpendingText(row)).toBe(
    'spent: agent tokens unknown, $0.25; simulated user 4 tokens, cost unknown',
  );
  expect(rowSpendingText({ ...row, costUsd: { agent: 0.25 } })).toBe(undefined);
});

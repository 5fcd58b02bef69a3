import { describe, expect, test } from 'vitest';

import { DEFAULT_LIMITS } from '../../core/limits.ts';
import { ownSettingsList, trialSettings } from './trial-settings.ts';

const settings = { limits: { ...DEFAULT_LIMITS, maxTurns: 5 }, threshold: 0.8, retryInfrastructure: 1 };

describe('settings of trials', () => {
  const of = trialSettings({ options: {}, settings, targets: new Map() });

  test('have the turns, the threshold and the limits of their case, whatever cases came before', () => {
    const cases = [
      { maxTurns: 3 },
      {},
      { maxTurns: 4 },
      { maxTurns: 9 },
      { threshold: 0.5 },
      { maxTurns: 3 },
    ];
    expect(
      cases.map((each) => of(each, 'bot')).map(({ limits, threshold }) => [limits.maxTurns, threshold]),
    ).toEqual([
      [3, 0.8],
      [5, 0.8],
      [4, 0.8],
      [5, 0.8],
      [5, 0.5],
      [3, 0.8],
    ]);
    expect(of({ maxTurns: 3, limits: { timeoutMs: 7 } }, 'bot').limits).toMatchObject({
      maxTurns: 3,
      timeoutMs: 7,
    });
  });

  test('are the same object for cases without limits and threshold that have as many turns', () => {
    expect(of({ maxTurns: 3 }, 'bot')).toBe(of({ maxTurns: 3 }, 'bot'));
  });
});

test('distinct settings of cases are collected, also where only turns differ', () => {
  const { list, add } = ownSettingsList();
  for (const own of [{ maxTurns: 3 }, {}, { maxTurns: 3 }, { maxTurns: 9 }, { threshold: 0.5 }, {}]) add(own);
  expect(list).toEqual([{ maxTurns: 3 }, {}, { maxTurns: 9 }, { threshold: 0.5 }]);
});

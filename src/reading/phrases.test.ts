import { expect, test } from 'vitest';

import { rowWith } from '../core/row.fixture.ts';
import { neededText, scaleOfRun, scoreText } from './phrases.ts';

test('scores of stored cases are in percent, and scores of evals are fractions', () => {
  expect([
    scoreText(0.885, 'percent'),
    scoreText(0.885),
    neededText(rowWith({ score: 0.88, overall: 88, threshold: 0.75 })),
    neededText(rowWith({ score: 0.88, threshold: 0.75 })),
    neededText(rowWith({ suite: 'stored', verdict: 'errored', threshold: 0.75 })),
    scaleOfRun({ settings: { options: { stored: true } } }),
    scaleOfRun({ settings: {} }),
  ]).toEqual([
    '88.5',
    '0.885',
    'score 88 of 100, needs 75',
    'score 0.88, needs 0.75',
    'score -, needs 75',
    'percent',
    'fraction',
  ]);
});

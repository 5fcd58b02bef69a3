import { expect, test } from 'vitest';

import { textWithoutModels, withoutModels } from './without-models.ts';

const CONTAINS = { type: 'contains', value: 'refund', ignore_case: true };
const judge = { metrics: [], outcomes: 'off' };
const limits = { maxTurns: 1 };

test('a run without models has one turn, no metrics, no judged outcomes, and a text that the answer must contain', () => {
  const first = { limits: { max_turns: 1 }, judge };
  expect(withoutModels(' refund ')).toEqual({ ...first, expectations: [CONTAINS] });
  expect(withoutModels(' ')).toEqual(first);
});

test('such a run is known again by what it was asked for', () => {
  expect(textWithoutModels({ laid: { judge, expectations: [CONTAINS] }, limits })).toBe('refund');
  expect(textWithoutModels({ laid: { judge }, limits })).toBe('');
  const before = { laid: { judge: { metrics: [] } }, limits };
  expect([textWithoutModels(before), textWithoutModels(before, { metrics: [] })]).toEqual(['', '']);
});

test.each([
  {},
  { laid: { judge } },
  { laid: { judge }, limits: { ...limits, maxSteps: 2 } },
  { laid: { judge: { ...judge, model: 'a/b' } }, limits },
  { laid: { judge, user: { model: 'a/b' } }, limits },
  { laid: { judge, faults: [] }, limits },
  { laid: { judge, expectations: [CONTAINS, CONTAINS] }, limits },
  { laid: { judge, expectations: [{ ...CONTAINS, weight: 2 }] }, limits },
  { laid: { judge, expectations: ['polite'] }, limits },
])('a run with any other request does not count as a run without models: %j', (request) => {
  expect(textWithoutModels(request)).toBeUndefined();
});

test.each(['oracle', { model: 'a/b', metrics: [] }, { target: 'oracle', metrics: [] }])(
  'a run whose outcomes %j judged had a model',
  (used) => {
    expect(textWithoutModels({ laid: { judge: { metrics: [] } }, limits }, used)).toBeUndefined();
    expect(textWithoutModels({ laid: { judge }, limits }, used)).toBe('');
  },
);

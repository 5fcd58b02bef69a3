import { expect, test } from 'vitest';

import type { KeptCase } from '../../../core/case-store.ts';
import { casesCalled } from './cases-called.ts';

const kept = (id: string, name: string): KeptCase =>
  ({ id, createdAt: '', updatedAt: '', fields: { name } }) as KeptCase;

test('cases are found by id in any case and by exact name, with one question', async () => {
  const there = [kept('a1', 'one'), kept('b2', 'two'), kept('c3', 'two'), kept('d4', 'a1'), kept('e5', 'e5')];
  const asked: unknown[] = [];
  const selected = async (selector: object) => {
    asked.push(selector);
    return there;
  };
  const ids = ['A1', 'a1', 'two', 'One', 'e5', 'gone'];
  const called = await casesCalled({ selected }, ids);
  expect(ids.map((id) => called(id).map((each) => each.id))).toEqual([
    ['a1'],
    ['a1', 'd4'],
    ['b2', 'c3'],
    [],
    ['e5'],
    [],
  ]);
  expect(asked).toEqual([{ ids }]);
});

test('without a name the store is not asked', async () => {
  const selected = () => Promise.reject(new Error('asked'));
  expect((await casesCalled({ selected }, []))('x')).toEqual([]);
});

import { expect, test } from 'vitest';

import type { ToolMock } from '../../core/test-case.ts';
import { unreachableMocks, type Shadowed } from './unreachable-mocks.ts';

const mock = (more: Partial<ToolMock>): ToolMock => ({
  tool: 'lookup',
  match: 'any',
  answer: { result: 1 },
  ...more,
});
const partial = (params: NonNullable<ToolMock['params']>, more: Partial<ToolMock> = {}) =>
  mock({ match: 'partial', params, ...more });
const exact = (params: NonNullable<ToolMock['params']>) => mock({ match: 'exact', params });

const shadowed = (mocks: readonly ToolMock[]) =>
  unreachableMocks(mocks).map(({ position, by }: Shadowed) => [position, by]);

test.each<[string, readonly ToolMock[], readonly (readonly number[])[]]>([
  [
    'one that comes after one for any arguments',
    [mock({}), partial({ id: 'X' }), mock({})],
    [
      [2, 1],
      [3, 1],
    ],
  ],
  ['an equal one', [partial({ id: 'X' }), partial({ id: 'x ' })], [[2, 1]]],
  [
    'one that asks for more than an earlier one',
    [partial({ id: 'X' }), partial({ id: 'X', n: 1 })],
    [[2, 1]],
  ],
  ['an exact one after one that takes it', [partial({ id: 'X' }), exact({ id: 'X', n: 1 })], [[2, 1]]],
  ['one of two equal exact ones', [exact({ id: 'X' }), exact({ id: 'X' })], [[2, 1]]],
])('can never answer: %s', (_, mocks, found) => {
  expect(shadowed(mocks)).toEqual(found);
});

test.each<[string, readonly ToolMock[]]>([
  ['the narrower one comes first', [partial({ id: 'X', n: 1 }), partial({ id: 'X' }), mock({})]],
  ['the earlier one is used up some day', [mock({ times: 1 }), partial({ id: 'X' })]],
  ['they ask for other arguments', [partial({ id: 'X' }), partial({ id: 'Y' })]],
  ['they are of other tools', [mock({}), mock({ tool: 'refund' })]],
  ['the earlier one is exact', [exact({ id: 'X' }), partial({ id: 'X' })]],
  ['the exact one has other letters', [exact({ id: 'X' }), exact({ id: 'x' })]],
])('can answer where %s', (_, mocks) => {
  expect(shadowed(mocks)).toEqual([]);
});

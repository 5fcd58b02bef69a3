import { expect, test } from 'vitest';

import type { Row } from '../../core/run.ts';
import { caseOf, planOf, suiteOf } from '../../engine/fixtures/suites.ts';
import { freedSkips } from './freed-skips.ts';

/** `a` <- `b` <- `c`, and `d`, which depends on `a` and on `x`; `e` depends on a case of another target. */
const plan = planOf([
  suiteOf('s', [
    caseOf('a'),
    caseOf('x'),
    caseOf('b', { dependsOn: ['a'] }),
    caseOf('c', { dependsOn: ['b'] }),
    caseOf('d', { dependsOn: ['a', 'x'] }),
    caseOf('elsewhere', { targets: ['other'] }),
    caseOf('e', { dependsOn: ['elsewhere'] }),
  ]),
]);

const row = (caseId: string, verdict: Row['verdict']) =>
  ({
    suite: 's',
    caseId,
    target: 'bot',
    repetition: 1,
    verdict,
    passed: verdict === 'passed',
    ...(verdict === 'skipped' ? { skipped: 'dependency' } : {}),
  }) as Row;

const skips = ['b', 'c', 'd'].map((id) => row(id, 'skipped'));

async function freed(rows: readonly Row[], retry: readonly string[] = []): Promise<readonly string[]> {
  const keys = await freedSkips({
    plan,
    async *rows() {
      yield* rows;
    },
    stays: ({ verdict }) => !retry.includes(verdict),
  });
  return [...keys].map((key) => key.split('/')[1] ?? '').toSorted();
}

test('a dependency that is run again frees what was skipped for it, along the whole chain', async () => {
  const rows = [row('a', 'errored'), row('x', 'passed'), ...skips];
  expect(await freed(rows, ['errored'])).toEqual(['b', 'c', 'd']);
  expect(await freed(rows.toReversed(), ['errored'])).toEqual(['b', 'c', 'd']);
  expect(await freed(rows)).toEqual([]);
});

test('what also depends on a trial that failed stays skipped', async () => {
  const rows = [row('a', 'errored'), row('x', 'failed'), ...skips];
  expect(await freed(rows, ['errored'])).toEqual(['b', 'c']);
});

test('a skip is freed whose dependency has passed, or has no end', async () => {
  expect(await freed([row('x', 'failed'), ...skips, row('a', 'passed')])).toEqual(['b', 'c']);
  expect(await freed([row('x', 'passed'), ...skips])).toEqual(['b', 'c', 'd']);
});

test('what depends on a case that its target does not have stays skipped', async () => {
  expect(await freed([row('a', 'passed'), row('e', 'skipped')])).toEqual([]);
});

import { expect, test } from 'vitest';

import { onBothDatabases } from '../../test/support/databases.ts';
import { viewedRuns } from '../../test/support/viewed-runs.ts';
import type { Row } from '../core/run.ts';
import { trialKey } from '../core/trial.ts';
import { TALLY_FOLD } from '../reading/row-fold.ts';
import { databaseRuns } from '../storage/database/runs/store.ts';
import { ended, rowOf } from '../storage/run-directory/fixtures/runs.ts';

const VERDICTS = ['passed', 'failed', 'errored', 'skipped', 'cancelled'] as const;

/** Twelve cases, each three times, in another order than they were planned. */
const ROWS: readonly Row[] = Array.from({ length: 36 }, (_, index): Row => {
  const at = (index * 7) % 36;
  const verdict = VERDICTS[at % 5] ?? 'passed';
  return rowOf(`case ${Math.floor(at / 3)}`, {
    number: at + 1,
    suite: at % 2 === 0 ? 'stored' : 'even',
    target: 't',
    repetition: (at % 3) + 1,
    verdict,
    status: verdict,
    passed: verdict === 'passed',
    score: at % 4 === 0 ? null : (at % 6) / 6,
    durationMs: (at % 5) * 100,
    costUsd: at % 7 === 0 ? { agent: null } : at % 3 === 0 ? {} : { agent: at / 8, judge: 0.25 },
    tags: at % 3 === 0 ? ['slow', 'a'] : ['b'],
    flags: at % 8 === 0 ? ['drift'] : [],
    output: at % 9 === 0 ? 'The Answer is 42' : 'no',
    ...(at % 2 === 0 ? { difficulty: 'hard', caseName: `Name ${at}` } : {}),
    ...(verdict === 'errored'
      ? { error: { stage: 'target', kind: 'timeout', code: 'timeout', message: 'too late' } }
      : {}),
    ...(verdict === 'skipped' ? { skipped: 'draft' } : {}),
    grades: [
      {
        name: 'polite',
        type: 'contains',
        score: 1,
        passed: at % 4 !== 1,
        weight: 1,
        reason: 'r',
        durationMs: 1,
      },
    ],
  });
});

const LISTS = [
  'verdict=failed&verdict=errored',
  'status=passed',
  'target=t',
  'target=none',
  'tag=slow',
  'tag=a&tag=b',
  'difficulty=hard',
  'stage=target',
  'kind=timeout',
  'kind=draft',
  'suite=even',
  'test_case_id=case%203',
  'flag=drift',
  'grader=polite',
  'grader=polite&tag=b&verdict=failed',
  'search=answer%20IS',
  'search=name%203',
  'search=too%20late&sort=-score',
  ...['number', 'score', 'duration_ms', 'cost_usd'].flatMap((by) => [`sort=${by}`, `sort=-${by}`]),
];

onBothDatabases('trials that are asked for', (database) => {
  const folders = viewedRuns();
  const store = viewedRuns((folder) => databaseRuns({ database: database(), folder, fold: TALLY_FOLD }));

  test('are those of a run that is read as a whole, in each list', async () => {
    const facts = ROWS.map((row) => ended(row));
    const runs = [
      { view: folders, id: await folders.keep(1000, facts) },
      { view: store, id: await store.keep(1000, facts) },
    ];
    const [read, asked] = await Promise.all(
      runs.map(async ({ view, id }) => {
        const pages = async (list: string) => {
          const data: unknown[] = [];
          for (let cursor = ''; ;) {
            const page = await view.asked(`/runs/${id}/${list}&limit=7${cursor}`);
            data.push(...(page.data ?? (page['cases'] as readonly unknown[])));
            if (page.next_cursor === null) return data;
            cursor = `&cursor=${page.next_cursor}`;
          }
        };
        const lists: unknown[] = [];
        for (const list of LISTS) lists.push([list, await pages(`trials?${list}`)]);
        const trials: unknown[] = [];
        for (const row of ROWS.slice(0, 6)) {
          const byNumber = await view.asked(`/runs/${id}/trials/${row.number}`);
          const byKey = await view.asked(`/runs/${id}/trials/${encodeURIComponent(trialKey(row))}`);
          expect(byKey).toEqual(byNumber);
          trials.push(byNumber);
        }
        const none = (await view.asked(`/runs/${id}/trials/99`)).error?.['code'];
        return { lists, matrix: await pages('matrix?'), trials, none };
      }),
    );
    expect(asked).toEqual(read);
    expect(read?.none).toBe('trial-not-found');
    const [cells] = (read?.matrix ?? []) as { cells: readonly { repetition: number }[][] }[];
    expect(cells?.cells[0]?.map(({ repetition }) => repetition)).toEqual([1, 3]);
  });
});

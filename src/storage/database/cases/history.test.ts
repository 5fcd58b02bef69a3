import { expect, test } from 'vitest';

import { onBothDatabases } from '../../../../test/support/databases.ts';
import { caseOf } from './fixtures/cases.ts';
import { databaseHistory } from './history.ts';
import { databaseCases } from './store.ts';

onBothDatabases('the history of a case', (database) => {
  test('has the trials of all runs, those of the newest first, page by page', async () => {
    const { id } = await databaseCases(database()).create(caseOf('x'));
    const { id: other } = await databaseCases(database()).create(caseOf('y'));
    for (const run of ['20260101T000000Z-aaaaaa', '20260102T000000Z-bbbbbb']) {
      await database().query(
        `insert into run (id, kind, origin, state, manifest) values ($1, 'run', 'cli', 'completed', '{}')`,
        [run],
      );
      for (const [number, caseId] of [id, other, id].entries()) {
        await database().query(
          `insert into trial (run_id, number, key, suite, case_key, test_case_id, target, repetition)
           values ($1, $2, $3, 'stored', $4::text, $4::text::uuid, 't', 1)`,
          [run, number + 1, `key ${number + 1}`, caseId],
        );
      }
    }
    for (const [trial, required] of [
      [3, null],
      [1, 1],
    ] as const) {
      await database().query(
        `insert into grade (run_id, trial_number, ordinal, name, type, passed, required, weight, body)
         values ('20260102T000000Z-bbbbbb', $1, 1, 'Refunded', 'judge', false, $2, 0, '{"outcome":"Refunded"}')`,
        [trial, required],
      );
    }
    const { trials } = databaseHistory(database());
    const first = await trials(id, { limit: 3 });
    expect(first[0]).toEqual({
      runId: '20260102T000000Z-bbbbbb',
      number: 3,
      key: 'key 3',
      target: 't',
      repetition: 1,
      isUnjudged: true,
    });
    expect(first.map(({ isUnjudged }) => isUnjudged)).toEqual([true, undefined, undefined]);
    const rest = await trials(id, { limit: 3, after: first[2] });
    expect([first, rest].map((page) => page.map(({ runId, number }) => [runId.slice(6, 8), number]))).toEqual(
      [
        [
          ['02', 3],
          ['02', 1],
          ['01', 3],
        ],
        [['01', 1]],
      ],
    );
  });

  test('has the last trials of several cases that have ended, and all of each run, without those of other cases', async () => {
    const cases = databaseCases(database());
    const [one, two, none] = [
      await cases.create(caseOf('x')),
      await cases.create(caseOf('y')),
      await cases.create(caseOf('z')),
    ];
    for (const run of ['20260101T000000Z-aaaaaa', '20260102T000000Z-bbbbbb']) {
      await database().query(
        `insert into run (id, kind, origin, state, manifest) values ($1, 'run', 'cli', 'completed', '{}')`,
        [run],
      );
      const trials = [
        [one.id, 'passed'],
        [one.id, 'failed'],
        [one.id, null],
        [two.id, 'errored'],
      ] as const;
      for (const [at, [id, verdict]] of trials.entries()) {
        await database().query(
          `insert into trial (run_id, number, key, suite, case_key, test_case_id, target, repetition,
             verdict, row, ended_sequence)
           values ($1, $2, $3, 'stored', $4::text, $4::text::uuid, 't', 1, $5, $6::text::json, $7)`,
          [run, at + 1, `key ${at + 1}`, id, verdict, verdict && '{}', verdict && at + 1],
        );
      }
    }
    const found = await databaseHistory(database()).last([one.id, two.id, none.id], 3);
    const shown = (id: string) =>
      found.get(id)?.map(({ runId, number, verdict }) => [runId.slice(6, 8), number, verdict]);
    expect([one, two, none].map(({ id }) => shown(id))).toEqual([
      [
        ['02', 2, 'failed'],
        ['02', 1, 'passed'],
        ['01', 2, 'failed'],
        ['01', 1, 'passed'],
      ],
      [
        ['02', 4, 'errored'],
        ['01', 4, 'errored'],
      ],
      undefined,
    ]);
  });
});

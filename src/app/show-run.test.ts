import { expect, test } from 'vitest';

import type { Row } from '../core/run.ts';
import { rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { showRun, type ShowRequest } from './show-run.ts';
import { storedRuns } from '../../test/support/stored-runs.ts';

const failedRow = rowOf('b', { verdict: 'failed', status: 'failed', passed: false, score: 0.25, number: 2 });
const erroredRow = rowOf('c', {
  verdict: 'errored',
  status: 'errored',
  passed: false,
  score: null,
  number: 3,
});
const rows: readonly Row[] = [rowOf('a'), failedRow, erroredRow];

const everything = { targets: [], cases: [], graders: [], verdicts: [], failed: false };

async function shown(more: Partial<ShowRequest>): Promise<string> {
  const stored = storedRuns();
  await stored.keep([rowOf('ancient')]);
  await stored.keep(rows);
  const request = {
    run: 'latest',
    only: everything,
    rebuild: false,
    form: 'text',
    verbosity: 'normal',
  } as const;
  await showRun({ ...request, ...more }, stored);
  return stored.shown();
}

test('the newest run is shown with what came of it', async () => {
  const text = await shown({});
  expect(text).toContain('1 passed, 1 failed, 1 errored');
  expect(text).not.toContain('ancient');
});

test('--json gives the rows as they are', async () => {
  const text = await shown({ form: 'json' });
  const told = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
  expect(told.map(({ caseId }) => caseId)).toEqual(['a', 'b', 'c']);
  expect(told[1]).toEqual(failedRow);
});

test('--failed tells of what did not pass, and of nothing else', async () => {
  const text = await shown({ only: { ...everything, failed: true } });
  expect(['s/a', 's/b', 's/c'].filter((name) => text.includes(name))).toEqual(['s/b', 's/c']);
});

test('one trial is shown whole, with what the agent said', async () => {
  expect((await shown({ trial: 'b' })).trim().split('\n')).toEqual([
    '✗ failed  b  s, t',
    '  score 0.25, needs 0.8; 1 ms, 1 turn, 1 step',
    '',
    'Transcript',
    '  [1] assistant  hello',
    '',
    'Grades',
    '  none',
  ]);
});

test('a trial that the run does not have is refused', async () => {
  await expect(shown({ trial: 'nowhere' })).rejects.toMatchObject({ code: 'trial-not-found' });
});

test('a run that is not there is refused', async () => {
  await expect(shown({ run: '2027' })).rejects.toMatchObject({ code: 'run-not-found' });
});

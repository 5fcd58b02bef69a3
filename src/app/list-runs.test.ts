import { expect, test } from 'vitest';

import { rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { storedRuns } from '../../test/support/stored-runs.ts';
import { describeRuns } from './list-runs.ts';

test('a run that leaves out expected outcomes is listed as such, and no other run is', async () => {
  const { keep, surroundings } = storedRuns();
  const options = { stored: true };
  const judged = await keep([rowOf('a')], { settings: { options, judge: { metrics: [] } } });
  const unjudged = await keep([rowOf('a')], { settings: { options, judge: { outcomes: 'off' } } });
  const listed = (form: 'text' | 'json') => describeRuns({ limit: 2, form }, surroundings);
  const lines = (await listed('text')).trimEnd().split('\n');
  expect(lines).toEqual([
    `${unjudged}  completed    1 passed, 0 failed, 0 errored of 1, expected outcomes not judged  s  -> t`,
    `${judged}  completed    1 passed, 0 failed, 0 errored of 1  s  -> t`,
  ]);
  const json = (await listed('json')).trimEnd().split('\n');
  expect(json.map((line) => JSON.parse(line).isUnjudged)).toEqual([true, undefined]);
});

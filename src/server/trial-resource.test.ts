import { expect, test } from 'vitest';

import { rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { trialResource } from './trial-resource.ts';

test('a trial with a cached answer names the run whose agent gave it', () => {
  const from = { runId: '20261128T000000Z-aaaaaa', at: '2026-11-28T00:00:00.000Z' };
  expect(trialResource(rowOf('a', { cached: from })).cached_from).toBe(from.runId);
  expect(trialResource(rowOf('a')).cached_from).toBeNull();
});

import { expect, test } from 'vitest';

import { openDesk } from '../../../test/support/desk.ts';
import { createRedactor } from '../../lib/redact/redact.ts';
import { bind } from '../binding/bind.ts';
import { planRun } from '../planning/plan-run.ts';
import { openTrialSetUp } from './trial-set-up.ts';

test('trials of a worker never share a marker, so that the end of one ends no programs of another', async () => {
  const desk = openDesk();
  const options = { patterns: [], targets: [], cases: [], seed: 7 };
  const planned = await planRun({ options, surroundings: desk.surroundings });
  const run = await desk.plan();
  const redactor = createRedactor({ environment: {} });
  await using setUp = openTrialSetUp({
    bound: bind(planned.spec, planned.machine),
    run: { redactor, workspaces: run.workspaces, manifest: { id: 'r' }, stored: run.stored },
    ledger: undefined,
    warn: () => {},
    onTampered: () => {},
    now: () => 0,
  });
  const record = {
    emit: () => {},
    settle: () => Promise.resolve(),
    artifacts: () => {
      throw new Error('no trial is run');
    },
  };
  // A worker makes one for each trial that it takes.
  const contexts = [setUp.contextFor(record), setUp.contextFor(record)];
  const markers = contexts.flatMap(({ marker }) => [marker(), marker()]);
  expect(new Set(markers).size).toBe(4);
});

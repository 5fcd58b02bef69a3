import { expect, test } from 'vitest';

import { sceneOf } from './fixtures/trial-context.ts';
import { caseOf, planOf, suiteOf } from './fixtures/suites.ts';
import { trialsOf } from './plan.ts';
import { rejectTrial } from './reject-trial.ts';

test('a rejected trial is errored like the first one of its target, and says why it was not started', async () => {
  const written: Record<string, unknown> = {};
  const testCase = caseOf('b', { targets: ['agent'] });
  const [trial] = [...trialsOf(planOf([suiteOf('s', [testCase])]), 'agent', 0)];
  if (trial === undefined) throw new Error('the plan has no trial');
  const row = await rejectTrial(
    trial,
    {
      ...sceneOf().context,
      caseOf: () => testCase,
      artifacts: () => ({
        directory: () => '/a',
        scratch: () => '/scratch',
        takeOver: () => {},
        stream: () => ({ write: () => {}, end: () => {} }),
        write: async (name, content) => void (written[name] = JSON.parse(String(content))),
        close: () => Promise.resolve({ directory: 'trials/b/attempt-1', notes: [] }),
      }),
      settle: async () => {},
    },
    {
      error: { stage: 'target', kind: 'model-rejected', code: 'model-rejected', message: 'not started' },
      failureClass: { id: 'model-rejected', label: 'Rejected model' },
    },
  );
  expect(row).toMatchObject({
    caseId: 'b',
    verdict: 'errored',
    status: 'errored',
    passed: false,
    durationMs: 0,
    attempts: [{ durationMs: 0, error: { kind: 'model-rejected' } }],
    failureClass: { id: 'model-rejected', label: 'Rejected model' },
    artifactDir: 'trials/b/attempt-1',
  });
  expect(written).toEqual({
    'error.json': {
      error: { name: 'MeasurementError', message: 'not started' },
      stage: 'target',
      kind: 'model-rejected',
      class: { id: 'model-rejected', label: 'Rejected model' },
    },
  });
});

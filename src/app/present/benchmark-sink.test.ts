import { expect, test } from 'vitest';

import { rowWith } from '../../analysis/row.fixture.ts';
import type { SuiteRunResult } from '../../core/benchmark-reporter.ts';
import type { RunEvent } from '../../core/run.ts';
import { trialKey } from '../../core/trial.ts';
import { benchmarkSink, type ReportedSuite } from './benchmark-sink.ts';

const suite: ReportedSuite = {
  id: 's.suite.ts',
  run: { place: '/p/.assay/runs/r', placeOf: (name) => `/p/.assay/runs/r/${name}` },
  context: {
    isInteractive: false,
    cwd: '/p',
    suitePath: '/p/s.suite.ts',
    suiteRunArtifactDir: '/p/.assay/runs/r',
    workspaceMode: 'none',
    scheduleMode: 'isolated-by-runner',
    selectedCaseCount: 1,
    selectedRunnerCount: 1,
    selectedExecutionCount: 3,
    maxParallel: 1,
    repeat: 3,
    declaredTags: [],
  },
  selectedTags: [],
  cases: [{ case: { id: 'a', prompt: 'go', assert() {} }, targets: ['agent'], repeat: 3 }],
  runners: [{ id: 'agent', pathKey: 'agent--0', agent: { type: 'mock', model: '' } }],
};

/** The result of a suite of which so many repetitions have ended, all passed. */
async function suiteAfter(repetitions: number): Promise<SuiteRunResult | undefined> {
  let finished: SuiteRunResult | undefined;
  const sink = benchmarkSink(
    'r',
    { onSuiteFinish: ({ result }) => void (finished = result) },
    { suites: [suite] },
  );
  for (let repetition = 1; repetition <= repetitions; repetition++) {
    const row = rowWith({ suite: suite.id, caseId: 'a', target: 'agent', repetition });
    const event: RunEvent = {
      sequence: repetition,
      at: row.endedAt,
      trial: trialKey(row),
      fact: { type: 'trial-end', row },
    };
    await sink.write(event);
  }
  await sink.close?.();
  return finished;
}

test.each([
  [1, false],
  [2, false],
  [3, true],
])('a case of which %d of 3 repetitions have ended, all passed, passes: %s', async (ended, passed) => {
  const [found] = (await suiteAfter(ended))?.cases ?? [];
  expect([found?.passed, found?.runnerResults[0]]).toMatchObject([
    passed,
    { repeatTarget: 3, completedRepetitions: ended, successfulRepetitions: ended },
  ]);
});

import { join } from 'node:path';

import { expect, it } from 'vitest';

import { DEFAULT_LIMITS } from '../../core/limits.ts';
import { formatProblem } from '../../core/problem.ts';
import { runSettings } from './run-settings.ts';
import { loadedFrom } from './scratch.fixture.ts';

it('has defaults for everything', async () => {
  const loaded = await loadedFrom('');
  expect(runSettings(loaded)).toEqual({
    settings: {
      outputDir: join(loaded.directory, '.assay/runs'),
      concurrency: 10,
      repeat: 1,
      threshold: 0.8,
      retryInfrastructure: 1,
      limits: DEFAULT_LIMITS,
      maxErrored: 0,
      tags: [],
      excludeTags: [],
      reporters: [],
      expectations: [],
      faults: [],
      difficultyWeights: { normal: 1, hard: 1 },
      assertTimeoutMs: 60_000,
      redact: { names: [], patterns: [] },
      snapshots: {
        isWanted: false,
        metric: 'totalTokens',
        path: join(loaded.directory, 'assay.snapshots.json'),
        tolerance: {},
      },
    },
    problems: [],
  });
});

it('keeps written values, resolves folders from the config and replaces environment variables', async () => {
  const loaded = await loadedFrom(
    `run:
  outputDir: "\${{ OUT }}"
  cwd: ./app
  concurrency: 8
  schedule: serial
  limits: { timeoutMs: null, maxSteps: 5 }
  reporter: [github-actions, "junit=x.xml", ./mine.ts]
  redact: { names: [ACCOUNT] }
  expectations: [be polite, { type: contains, value: ok }]
`,
    { environment: { OUT: 'runs' } },
  );
  const { settings, problems } = runSettings(loaded);
  expect(problems).toEqual([]);
  expect(settings).toMatchObject({
    outputDir: join(loaded.directory, 'runs'),
    cwd: join(loaded.directory, 'app'),
    concurrency: 1,
    schedule: 'serial',
    limits: { ...DEFAULT_LIMITS, timeoutMs: null, maxSteps: 5 },
    reporters: ['github', `junit=${join(loaded.directory, 'x.xml')}`, join(loaded.directory, 'mine.ts')],
    redact: { names: ['ACCOUNT'], patterns: [] },
    expectations: ['be polite', { type: 'contains', value: 'ok' }],
  });
});

it('names a variable that is not set', async () => {
  const loaded = await loadedFrom('run: { outputDir: "${{ OUT }}" }');
  expect(runSettings(loaded).problems.map(formatProblem)).toEqual([
    'assay.config.yaml:1:19  environment-unset  run.outputDir: environment variable OUT is not set  (set the variable, or add it to .env next to the config)',
  ]);
});

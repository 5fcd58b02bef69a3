import { execFileSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { openDesk } from '../../test/support/desk.ts';

test('a run is started, stored with its spec, and prints its outcome', async () => {
  const desk = openDesk();
  const outcome = await desk.start();
  const { run } = await desk.runs.find('latest');
  const [manifest, spec] = [await run.manifest(), await run.spec()];
  expect([outcome.exitCode, outcome.summary.state, outcome.summary.totals.counts.passed]).toEqual([
    1,
    'completed',
    1,
  ]);
  expect(await desk.verdicts()).toEqual({ right: 'passed', wrong: 'failed' });
  expect(desk.said()).toContain('2 cases of 1 suite, 2 trials');
  expect(spec).toEqual({
    formatVersion: 1,
    options: { patterns: [], targets: [], cases: [], seed: 7 },
    settings: {
      seed: 7,
      concurrency: 10,
      threshold: 0.8,
      retryInfrastructure: 1,
      maxErrored: 0,
      failFast: false,
      limits: manifest.settings.limits,
    },
    suites: [{ id: 'some.eval.yaml', file: desk.path('some.eval.yaml'), cases: 2 }],
    kinds: [
      { suite: 0, targets: ['bot'], repeat: 1, graderCount: 1, terms: 2 },
      { suite: 0, targets: ['bot'], repeat: 1, graderCount: 1, terms: 5 },
    ],
    cases: { id: ['wrong', 'right'], at: [0, 1], kind: [0, 1], digest: [0, 3], graders: [1, 4] },
    targets: [{ name: 'bot', type: 'mock', written: desk.config.targets.bot, digest: 6 }],
    judges: { targets: [] },
    replays: {},
    digests: manifest.digests,
  });
});

test('secrets of the config are not kept with a spec', async () => {
  const secret = 'a-secret-of-the-config';
  const desk = openDesk({ targets: { bot: { type: 'mock', response: 'x', env: { API_KEY: secret } } } });
  await desk.start();
  const { run } = await desk.runs.find('latest');
  expect(JSON.stringify(await run.spec())).not.toContain(secret);
});

test('nothing is begun where a baseline, a gate or a reporter cannot be used', async () => {
  const desk = openDesk();
  await expect(desk.start({ baseline: 'latest' })).rejects.toMatchObject({ code: 'run-not-found' });
  await expect(desk.start({ gates: ['nonsense'] })).rejects.toMatchObject({ code: 'authoring' });
  await expect(desk.start({}, desk.reporting('nonsense'))).rejects.toMatchObject({
    code: 'unknown-reporter',
  });
  expect(await desk.runs.list()).toEqual([]);
});

test('a run is compared with its baseline by the commit of the project', async () => {
  const desk = openDesk();
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: desk.path('.') });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  await desk.start();
  await desk.start({ baseline: 'latest' });
  expect(desk.said()).toMatch(
    /differs +nothing in the config of the target; assay does not look inside the program that it runs\n/,
  );
  expect(desk.said()).not.toContain('commit:');
});

test('failed trials of a target that the baseline lacks fail the run', async () => {
  const answers = { bot: 'yes', better: 'yes, no', worse: 'perhaps' };
  const targets = Object.fromEntries(
    Object.entries(answers).map(([name, response]) => [name, { type: 'mock', response }]),
  );
  const desk = openDesk({ targets, target: 'bot' });
  const { summary } = await desk.start();
  const codeWith = async (...names: readonly string[]) =>
    (await desk.start({ targets: names, baseline: summary.id })).exitCode;
  expect(await codeWith('bot', 'better')).toBe(0);
  expect(await codeWith('bot', 'better', 'worse')).toBe(1);
});

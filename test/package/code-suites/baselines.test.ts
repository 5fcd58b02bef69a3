import { existsSync } from 'node:fs';

import { expect, test } from 'vitest';

import { newestRun, rowOf, type Project } from '../../e2e/support/project.ts';
import { claudeTurn } from '../../support/claude-lines.ts';
import { fakeEnv } from '../../support/fake-agent.ts';
import { packedProject } from '../support/packed-project.ts';
import { errorOf, PASSES, suite } from '../support/suites.ts';

const FILE = 'assay.snapshots.json';

/** A config whose agent takes so many tokens. */
function taking(tokens: number, snapshots: object = { tolerance: { percent: 10 } }, model = 'm') {
  const after = claudeTurn({ answer: 'done', tokens: { input: tokens - 1, output: 1 } });
  const agent = { type: 'claude-code', model, env: fakeEnv({ after }) };
  return { 'assay.config.json': { snapshots, targets: { agent } } };
}

const valueIn = (project: Project): unknown => {
  const { entries } = JSON.parse(project.read(FILE)) as { entries: Record<string, { value: number }> };
  return entries['one::agent']?.value;
};

test('a baseline of 1000 with 10 percent takes 1100 and refuses 1101, and CI records nothing', async () => {
  await using project = packedProject({ ...taking(1000), 'a.suite.ts': suite({ one: PASSES }) });
  const run = async (env: Readonly<Record<string, string>> = {}, ...args: string[]) =>
    (await project.start(['run', ...args], env).ended).code;
  expect(await run({ CI: 'true' })).toBe(1);
  expect(rowOf(newestRun(project), 'one')).toMatchObject({
    verdict: 'failed',
    failureClass: { id: 'snapshot', label: 'Snapshot verification' },
  });
  expect(JSON.stringify(errorOf(newestRun(project), 'one'))).toContain('--update-snapshots');
  expect(existsSync(project.path(FILE))).toBe(false);

  expect(await run()).toBe(0);
  expect(JSON.parse(project.read(FILE))).toEqual({
    version: 1,
    entries: {
      'one::agent': {
        caseId: 'one',
        runnerId: 'agent',
        metric: 'totalTokens',
        value: 1000,
        agentType: 'claude-code',
        model: 'm',
        updatedAt: expect.stringMatching(/Z$/) as string,
      },
    },
  });
  const recorded = project.read(FILE);

  project.write(taking(1100));
  expect(await run({ CI: 'true' })).toBe(0);
  project.write(taking(1101, undefined, 'n'));
  expect(await run({}, '--ci')).toBe(1);
  const row = rowOf(newestRun(project), 'one');
  const message =
    'one::agent: totalTokens 1101 is above the limit 1100 (baseline 1000, +10 % allowed); the model changed from m to n';
  expect([row.score, row.fallenGates, row.grades.at(-1)?.reason]).toEqual([1, ['token baseline'], message]);
  expect(errorOf(newestRun(project), 'one')).toEqual({
    error: { name: 'SnapshotError', message },
    failureOrigin: 'snapshot',
    failureKind: 'snapshot',
    class: { id: 'snapshot', label: 'Snapshot verification' },
  });

  const other = { metric: 'inputTokens', tolerance: { percent: 10 } };
  project.write(taking(1000, other));
  expect(await run()).toBe(1);
  expect(project.read(FILE)).toBe(recorded);
  expect(await run({}, '--update-snapshots')).toBe(0);
  expect(valueIn(project)).toBe(999);
});

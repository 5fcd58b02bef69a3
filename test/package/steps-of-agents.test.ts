import { expect, test } from 'vitest';

import { eventsOf, newestRun, rowsOf } from '../e2e/support/project.ts';
import { fakeEnv, recordingOf } from '../support/fake-agent.ts';
import { packedProject } from './support/packed-project.ts';
import { ISOLATED, NEVER, suite } from './support/suites.ts';

const VERSIONS = { 'claude-code': '2.1.330', opencode: '1.18.33', gemini: '0.61.0', qwen: '0.24.4' };

const COMMANDS = ['cat SKILL.md', 'sleep 1 && pwd', 'ls', 'sleep 1 && echo done'];

test('two responses with parallel calls are two steps, and the third ends the agent where two are allowed', async () => {
  const targets = Object.entries(VERSIONS).map(([type, version]) => {
    const plan = { version, recording: recordingOf(type, `${version}/parallel`), silentMs: 60_000 };
    return [type, { type, model: 'lab/m', env: fakeEnv(plan) }];
  });
  await using project = packedProject({
    'assay.config.json': { targets: Object.fromEntries(targets), run: { maxSteps: 2 } },
    'a.suite.ts': suite({ long: NEVER }, ISOLATED),
  });
  expect((await project.assay('run')).code).toBe(3);
  const run = newestRun(project);
  const limits = rowsOf(run).map(({ target, error, limit }) => [target, error?.kind, limit]);
  const limit = { kind: 'max-steps', ceiling: 2, reached: 3 };
  expect(limits.toSorted()).toEqual(
    Object.keys(VERSIONS)
      .toSorted()
      .map((target) => [target, 'max-steps', limit]),
  );
  for (const target of Object.keys(VERSIONS)) {
    const commands = eventsOf(run).flatMap(({ trial, fact }) => {
      if (trial?.split('/')[2] !== target || fact.type !== 'transcript-entry') return [];
      const effects = fact.entry.type === 'tool-call' && 'effects' in fact.entry ? fact.entry.effects : [];
      return (effects ?? []).flatMap((effect) => ('command' in effect ? [effect.command] : []));
    });
    expect([target, commands]).toEqual([target, COMMANDS]);
  }
});

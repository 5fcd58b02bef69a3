import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newestRun, rowsOf } from '../e2e/support/project.ts';
import { claudeTurn } from '../support/claude-lines.ts';
import { installFakeAgent, startsIn } from '../support/fake-agent.ts';
import { packedProject } from './support/packed-project.ts';

const CASES = 12;
const SUITE = `import { assert, type Case, type SuiteWorkspaceConfig } from 'skillgym';
enum Skill { Greeting = 'greeting' }
export const workspace: SuiteWorkspaceConfig = { mode: 'isolated' };
const suite: Case[] = Array.from({ length: ${CASES} }, (_, index) => ({
  id: 'greets-' + index,
  prompt: 'Greet visitor ' + index,
  assert(report) {
    assert.skills.has(report, Skill.Greeting, { minConfidence: 'explicit' });
    assert.output.includes(report, /^Moin/);
  },
}));
export default suite;
`;

const CONFIG = `import { defineConfig } from 'assay';
const agent = { type: 'claude-code', model: 'some-model' };
export default defineConfig({ targets: { without: agent, with: { ...agent, skills: ['./skills/greeting'] } } });
`;

test('in an empty project the packed program tells that a skill makes an agent better', async () => {
  await using project = packedProject({
    'assay.config.ts': CONFIG,
    'greeting.suite.ts': SUITE,
    'skills/greeting/SKILL.md': '---\nname: greeting\ndescription: How to greet\n---\nSay Moin.\n',
  });
  const seen = project.path('seen.jsonl');
  installFakeAgent(project.path('../bin'), ['claude'], {
    version: '2.1.330 (Claude Code)',
    seen,
    after: claudeTurn({ answer: 'Hello' }),
    where: {
      path: '.claude/skills/greeting/SKILL.md',
      plan: { after: claudeTurn({ answer: 'Moin', skills: ['greeting'] }) },
    },
  });
  const ran = await project.assay('run');
  expect([ran.code, ran.stderr]).toEqual([1, '']);
  const run = newestRun(project);
  const verdicts = (target: string) =>
    rowsOf(run).flatMap((row) => (row.target === target ? [row.verdict] : []));
  expect(verdicts('without')).toEqual(Array.from({ length: CASES }, () => 'failed'));
  expect(verdicts('with')).toEqual(Array.from({ length: CASES }, () => 'passed'));
  expect(rowsOf(run).every(({ hermetic }) => hermetic)).toBe(true);
  const staged = startsIn(seen).map(({ workspace }) =>
    workspace.includes('.claude/skills/greeting/SKILL.md'),
  );
  expect(staged.filter(Boolean)).toHaveLength(CASES);

  const better = await project.assay('compare', 'latest#without', 'latest#with', '--json');
  expect([better.code, JSON.parse(better.stdout)]).toMatchObject([0, { verdict: 'improved' }]);
  const worse = await project.assay('compare', 'latest#with', 'latest#without', '--json');
  expect([worse.code, JSON.parse(worse.stdout)]).toMatchObject([1, { verdict: 'regressed' }]);

  const row = rowsOf(run).find(({ target }) => target === 'with');
  const report = JSON.parse(readFileSync(join(run, row?.artifactDir ?? '', 'report.json'), 'utf8')) as object;
  expect(report).toMatchObject({
    runner: { id: 'with', agent: { type: 'claude-code', model: 'some-model' } },
    detectedSkills: [{ skill: 'greeting', confidence: 'explicit', evidence: ['Loaded via skill tool'] }],
    finalOutput: 'Moin',
  });
});

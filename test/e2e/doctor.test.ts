import { expect, test } from 'vitest';

import { openProject, type Project } from './support/project.ts';

const program = (version: string) => `#!/bin/sh\necho '${version}'\n`;
/** Without what the machine may have of its own. */
const onPath = (project: Project) => ({ PATH: `${project.path('bin')}:/usr/bin:/bin` });

test('assay doctor tells which agents are there, in which version, and what they lack', async () => {
  await using project = openProject({
    'bin/claude': program('2.1.330 (Claude Code)'),
    'bin/opencode': program('1.99.0'),
  });
  const env = { ...onPath(project), ANTHROPIC_API_KEY: 'dummy-key-0123456789' };
  const ended = await project.start(['doctor', '--json'], env).ended;
  expect(ended.code).toBe(0);
  expect(ended.stdout).not.toContain('dummy-key');
  expect(JSON.parse(ended.stdout)).toEqual(
    expect.arrayContaining([
      {
        type: 'claude-code',
        program: 'claude',
        path: project.path('bin/claude'),
        version: '2.1.330',
        triedVersions: ['2.1.197', '2.1.330'],
        problems: [],
        notes: ['ANTHROPIC_API_KEY set: pass it on with passEnv: [ANTHROPIC_API_KEY]'],
      },
      {
        type: 'opencode',
        program: 'opencode',
        path: project.path('bin/opencode'),
        version: '1.99.0',
        triedVersions: ['1.18.33'],
        problems: [expect.stringMatching(/^rg is not on PATH/)],
        notes: ['no recording of version 1.99.0 is known; known are 1.18.33'],
      },
    ]),
  );
  expect(project.litter()).toEqual([]);
});

test('an agent that is asked about and missing ends with 1 and the command that installs it', async () => {
  await using project = openProject({});
  const ended = await project.start(['doctor', 'claude-code'], onPath(project)).ended;
  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain(
    'claude-code: not installed (claude)\n  ! not found on PATH; npm install -g @anthropic-ai/claude-code\n',
  );
});

test('a type that nobody knows is a usage error with the nearest one', async () => {
  await using project = openProject({});
  const ended = await project.assay('doctor', 'claude-cod');
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('did you mean claude-code?');
});

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
        notes: ['version 1.99.0 was not tested; tested versions: 1.18.33'],
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

test('a program that does not say its version is named without its folder', async () => {
  await using project = openProject({ 'bin/claude': '#!/bin/sh\necho broken >&2\nexit 3\n' });
  const ended = await project.start(['doctor', 'claude-code'], onPath(project)).ended;
  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain('  ! claude --version failed with 3: broken\n');
});

test('a type that nobody knows is a usage error with the nearest one', async () => {
  await using project = openProject({});
  const ended = await project.assay('doctor', 'claude-cod');
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('did you mean claude-code?');
});

const agent = (keys: object) => ({ type: 'claude-code', model: 'm', ...keys });

test('the targets of the config are looked at with their own programs, each under its name', async () => {
  await using project = openProject({
    'bin/claude': program('2.1.330 (Claude Code)'),
    'tools/mine.sh': '#!/bin/sh\n[ "$1 $2 $KEY" = "run --version k" ] && echo 2.1.197\n',
    'assay.config.json': {
      targets: {
        usual: agent({ passEnv: ['ANTHROPIC_API_KEY'] }),
        mine: agent({ command: './tools/mine.sh', commandArgs: ['run'], env: { KEY: 'k' } }),
        gone: agent({ command: './tools/gone.sh', passEnv: ['NOT_SET'] }),
        other: { type: 'mock', response: 'x' },
      },
    },
  });
  const env = { ...onPath(project), ANTHROPIC_API_KEY: 'dummy-key-0123456789' };
  const ended = await project.start(['doctor', 'claude-code', '--json'], env).ended;
  expect(ended.code).toBe(1);
  const about = { type: 'claude-code', triedVersions: ['2.1.197', '2.1.330'] };
  const withheld = expect.stringMatching(/ANTHROPIC_API_KEY is set, but not passed to the agent/);
  expect(JSON.parse(ended.stdout)).toEqual([
    {
      ...about,
      target: 'usual',
      program: 'claude',
      path: project.path('bin/claude'),
      version: '2.1.330',
      problems: [],
      notes: [],
    },
    {
      ...about,
      target: 'mine',
      program: 'mine.sh',
      path: project.path('tools/mine.sh'),
      version: '2.1.197',
      problems: [],
      notes: [withheld],
    },
    {
      ...about,
      target: 'gone',
      program: 'gone.sh',
      problems: [
        `file not found: ${project.path('tools/gone.sh')}; npm install -g @anthropic-ai/claude-code, or set targets.gone.command`,
        expect.stringMatching(/environment-unset .*NOT_SET/),
      ],
      notes: [],
    },
  ]);
  const shown = await project.start(['doctor', 'claude-code'], env).ended;
  expect(shown.stdout).toContain('mine (claude-code): ok (mine.sh 2.1.197)\n');
  expect(shown.stdout).toContain('gone (claude-code): not installed (gone.sh)\n');
});

test('another config is named with --config, and what is wrong with it is told', async () => {
  await using project = openProject({
    'bin/mine': program('2.1.330'),
    'assay.config.json': { targets: { here: agent({}) } },
    'other/a.json': { targets: { there: agent({ command: '../bin/mine' }) } },
    'other/b.json': { targets: { there: agent({ comand: 'x' }) } },
  });
  const ended = await project.start(['doctor', 'claude-code', '--config', 'other/a.json'], onPath(project))
    .ended;
  expect([ended.code, ended.stdout]).toEqual([
    0,
    `there (claude-code): ok (mine 2.1.330)\n  at ${project.path('bin/mine')}\n`,
  ]);
  const refused = await project.assay('doctor', '--config', 'other/b.json');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/other\/b\.json:\d+:\d+ .*comand.*did you mean `command`/);
});

test('programs of one’s own are looked for and never started', async () => {
  await using project = openProject({
    'bin/there': program('1.2.3'),
    'tools/mine': '#!/bin/sh\ntouch started\n',
    'assay.config.json': {
      targets: {
        mine: { type: 'cli', command: ['./tools/mine', '{PROMPT}'] },
        named: { type: 'cli', command: ['there'] },
        gone: { type: 'cli', command: ['not-there', 'x'] },
        shell: { type: 'cli', command: 'there | cat' },
        within: { type: 'cli', command: ['tools/mine'] },
        speaks: { type: 'acp', model: 'm', command: './tools/gone' },
      },
    },
  });
  const ended = await project.start(['doctor'], onPath(project)).ended;
  expect(ended.code).toBe(0);
  const [, shown] = /(mine \(cli\)[^]*?\n)\n(?!\w+ \(cli\))/.exec(ended.stdout) ?? [];
  expect(shown?.split('\n\n')).toEqual([
    `mine (cli): ok (./tools/mine)\n  at ${project.path('tools/mine')}`,
    `named (cli): ok (there)\n  at ${project.path('bin/there')}`,
    'gone (cli): not installed (not-there)\n  ! not found on PATH; correct targets.gone.command',
    'shell (cli): not checked\n  - the shell looks up its programs',
    'within (cli): not checked (tools/mine)\n  - it is looked up in the working directory of the agent\n',
  ]);
  expect(ended.stdout).toContain(
    `speaks (acp): not installed (gone)\n  ! file not found: ${project.path('tools/gone')}`,
  );
  expect(ended.stdout).toContain('claude-code: not installed (claude)\n');
  expect(project.litter()).toEqual([]);
});

test('without a config there is nothing to say of what has no usual name', async () => {
  await using project = openProject({});
  const ended = await project.start(['doctor'], onPath(project)).ended;
  expect(ended.stdout).not.toMatch(/^(acp|cli)/m);
  expect((await project.start(['doctor', 'cli'], onPath(project)).ended).stdout).toBe(
    'cli: not installed\n  ! no command configured: set `command`\n',
  );
});

test.each([[[]], [['--json']]])(
  'what a command takes from the environment is not shown: doctor %j',
  async (flags) => {
    const secret = 'hidden-value-0123456789';
    await using project = openProject({
      'assay.config.json': {
        targets: {
          agent: {
            type: 'claude-code',
            model: 'm',
            command: './agent',
            commandArgs: ['--with', '${{ AGENT_OPTION }}'],
          },
          other: { type: 'cli', command: ['${{ AGENT_OPTION }}', 'x'] },
        },
      },
      agent: '#!/bin/sh\nexit 3\n',
    });
    const env = { ...onPath(project), AGENT_OPTION: secret };
    const { stdout, stderr } = await project.start(['doctor', ...flags], env).ended;
    expect(`${stdout}${stderr}`).not.toContain(secret);
    expect(stdout).toContain('--with [redacted:AGENT_OPTION] --version');
  },
);

test('assay list without a word says which words it takes', async () => {
  await using project = openProject({});
  const { code, stderr } = await project.assay('list');
  expect([code, stderr]).toEqual([
    2,
    'assay: assay list needs an argument\n  use assay list graders or assay list targets\n',
  ]);
  expect((await project.assay('list', '--help')).stdout).toContain('list [options] <graders|targets>\n');
});

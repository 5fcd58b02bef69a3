import { describe, expect, test } from 'vitest';

import { commandMatcher, type StructuredCommand } from './command-matcher.ts';
import { commands } from './commands.ts';
import { fileReads } from './file-reads.ts';
import { skills } from './skills.ts';
import { findingOf, problemsOf, type SubjectSketch } from './subject.fixture.ts';

const subject: SubjectSketch = {
  entries: [
    {
      type: 'tool-call',
      callId: '1',
      name: 'Bash',
      input: {},
      effects: [{ command: 'cd web && pnpm test --watch' }],
    },
    { type: 'tool-result', callId: '1', output: 'boom', failed: true },
    { type: 'tool-call', callId: '2', name: 'Read', input: {}, effects: [{ fileRead: '/w/src/a.ts' }] },
    { type: 'tool-call', callId: '3', name: 'Read', input: {}, effects: [{ fileRead: '/w/none.ts' }] },
    { type: 'tool-result', callId: '3', output: 'no such file', failed: true },
    {
      type: 'tool-call',
      callId: '4',
      name: 'Skill',
      input: {},
      effects: [
        { skillUse: 'pdf', confidence: 'weak', evidence: 'mentioned' },
        { skillUse: 'pdf', confidence: 'strong', evidence: 'read' },
        { skillUse: 'docx', confidence: 'weak', evidence: 'mentioned' },
      ],
    },
  ],
};

describe('commands', () => {
  test.each([
    [{ ran: ['pnpm test'] }, 1],
    [{ ran: ['npm run'] }, 0],
    [{ ran: ['/^cd \\w+ && pnpm/'] }, 1],
    [{ ran: ['/PNPM/i'] }, 1],
    [{ ran: [{ executable: 'pnpm', args: ['test'] }] }, 1],
    [{ ran: [{ executable: 'pnpm', options: { '--watch': true } }, 'cd web'] }, 1],
    [{ ran: [{ executable: 'web' }] }, 0],
    [{ not_ran: ['rm -rf', { executable: 'rm' }] }, 1],
    [{ not_ran: [{ executable: 'cd' }] }, 0],
    [{ ran: ['pnpm'], not_ran: ['npm'] }, 0],
  ])('%j scores %d; a command that failed was run', async (config, score) => {
    expect((await findingOf(commands, config, subject)).score).toBe(score);
  });

  test('reports the expected and the observed commands', async () => {
    expect(
      (await findingOf(commands, { ran: ['npm ci', { executable: 'git' }], not_ran: ['/watch/'] }, subject))
        .reason,
    ).toBe(
      'expected one of the commands to match "npm ci"; expected one of the commands to match {"executable":"git"}; ' +
        'expected none of the commands to match /watch/, found cd web && pnpm test --watch. ' +
        'Observed commands: cd web && pnpm test --watch',
    );
    expect((await findingOf(commands, { ran: ['x'] }, {})).reason).toBe(
      'expected one of the commands to match "x". Observed commands: (none)',
    );
  });

  test('refuses what checks nothing', () => {
    expect(problemsOf(commands, {})).toEqual([': give `ran` or `not_ran`']);
    expect(problemsOf(commands, { ran: [] }).length).toBe(1);
    expect(problemsOf(commands, { ran: ['/(/'] })).toEqual([
      'ran.0: invalid regular expression: /(/: Unterminated group',
    ]);
    expect(problemsOf(commands, { ran: [{}] })).toEqual([
      'ran.0: give at least one of `executable`, `args`, `options`',
    ]);
    expect(problemsOf(commands, { ran: [3] })).toEqual([
      'ran.0: expected a text, a /pattern/ or {executable, args, options}',
    ]);
  });
});

describe('file_reads', () => {
  test.each([
    [{ read: ['src/a.ts'] }, 1],
    [{ read: ['/src/.*\\.ts$/'] }, 1],
    [{ read: ['/w/src/a.ts'] }, 1],
    [{ read: ['none.ts'] }, 0],
    [{ not_read: ['none.ts', '.env'] }, 1],
    [{ not_read: ['a.ts'] }, 0],
  ])('%j scores %d; a failed read does not count', async (config, score) => {
    expect((await findingOf(fileReads, config, subject)).score).toBe(score);
  });
});

describe('skills', () => {
  test.each([
    [{ used: ['pdf'] }, 1],
    [{ used: ['pd'] }, 0],
    [{ used: ['/^pd/'] }, 1],
    [{ used: ['pdf'], min_confidence: 'strong' }, 1],
    [{ used: ['docx'] }, 1],
    [{ used: ['docx'], min_confidence: 'medium' }, 0],
    [{ not_used: ['docx'], min_confidence: 'medium' }, 1],
    [{ not_used: ['pdf'] }, 0],
  ])('%j scores %d; names are exact', async (config, score) => {
    expect((await findingOf(skills, config, subject)).score).toBe(score);
  });
});

describe('a structured command', () => {
  const fits = (wanted: StructuredCommand, text: string) => commandMatcher(wanted)(text);

  test.each<[StructuredCommand, string, boolean]>([
    [{ args: ['test'] }, 'pnpm --watch test', true],
    [{ args: ['test'], options: { '--watch': true } }, 'pnpm --watch test', true],
    [{ options: { '--watch': 'test' } }, 'pnpm --watch test', true],
    [{ args: ['test'], options: { '--watch': 'test' } }, 'pnpm --watch test', false],
    [{ options: { '-x': true, '-z': true, '-f': 'a.tgz' } }, 'tar -xzf a.tgz', true],
    [{ args: ['a.tgz'], options: { '-f': true } }, 'tar -xzf a.tgz', true],
    [{ options: { '-a': '1b', '-x': '3', '--no': '' } }, 'cmd -a1b -x=3 --no=', true],
    [{ args: ['-', '--', 'x', ''] }, 'cmd - -- -- x ""', true],
    [{ args: ['x', '-'] }, 'cmd - -- -- x ""', false],
    [{ options: { '--tag': ['a', 'b'] } }, 'tool --tag a --tag b', true],
    [{ options: { '--tag': ['b', '/a/'] } }, 'tool --tag a --tag b', true],
    [{ options: { '--tag': ['a', 'a'] } }, 'tool --tag a --tag b', false],
    [
      { options: { '-j': '4', '--mode': 'ci' }, args: ['run', 'two words', '--raw'] },
      'tool run -v -j4 --mode=ci -- "two words" --raw',
      true,
    ],
    [{ options: { '--n': '-5' } }, 'cmd --n -5', true],
    [{ options: { '--n': true } }, 'cmd --n=5', false],
    [{ options: { '--n': '/./' } }, 'cmd --n', false],
    [{ executable: 'git', args: ['push'] }, '/usr/bin/git -C dir push', true],
    [{ executable: 'sudo' }, 'sudo -u ci /bin/zsh -lc "ls -l"', true],
    [{ executable: 'ls', options: { '-l': true } }, 'sudo -u ci /bin/zsh -lc "ls -l"', true],
    [{ executable: 'rm' }, 'echo "a && rm b"', false],
    [{ executable: 'rm' }, 'echo $(rm b)', true],
  ])('%j against %j: %s', (wanted, text, expected) => {
    expect(fits(wanted, text)).toBe(expected);
  });
});

describe('a target that reports no tool calls', () => {
  const silent: SubjectSketch = { entries: [] };
  const told = (things: string) =>
    new RegExp(
      `^cannot decide what the agent did not do: the target \\S+ may not report ${things}, and the transcript has no tool calls`,
    );

  test('cannot decide what the agent did not do', async () => {
    await expect(findingOf(commands, { not_ran: ['rm'] }, silent)).rejects.toThrow(told('commands'));
    await expect(findingOf(fileReads, { not_read: ['.env'] }, silent)).rejects.toThrow(told('file reads'));
    await expect(findingOf(skills, { not_used: ['pdf'] }, silent)).rejects.toThrow(told('skills'));
  });

  test('is decided when the target reports every call', async () => {
    const idle: SubjectSketch = { entries: [], tellsToolCalls: true };
    expect((await findingOf(commands, { not_ran: ['rm'] }, idle)).score).toBe(1);
    expect((await findingOf(fileReads, { not_read: ['.env'] }, idle)).score).toBe(1);
    expect((await findingOf(skills, { not_used: ['pdf'] }, idle)).score).toBe(1);
  });

  test('meets no expectation about what the agent did', async () => {
    expect((await findingOf(commands, { ran: ['rm'] }, silent)).score).toBe(0);
  });

  test('differs from a target whose calls had no such effect', async () => {
    const looked: SubjectSketch = { entries: [{ type: 'tool-call', callId: '1', name: 'look', input: {} }] };
    expect((await findingOf(commands, { not_ran: ['rm'] }, looked)).score).toBe(1);
  });
});

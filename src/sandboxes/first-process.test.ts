import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { couldNotFork, underShell, unstartedReason } from './first-process.ts';

const NAMES = { container: 'box-1', forkSign: 'no-fork-9' };

/** How a program ends under the shell of this machine. */
function endOf(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
  path = process.env['PATH'],
) {
  const started = underShell(NAMES, { command, env });
  const [program = '', ...args] = started.command;
  const { status, stdout, stderr } = spawnSync(program, args, { env: { PATH: path, ...started.env } });
  return { exitCode: status, stdout: String(stdout), stderr };
}

test('output, arguments and exit code are those of the program', () => {
  const script = 'printf "%s|" "$0" "$@"; echo problem >&2; exit 7';
  expect(endOf(['sh', '-c', script, 'a b', '', "it's\n*"])).toEqual({
    exitCode: 7,
    stdout: "a b||it's\n*|",
    stderr: Buffer.from('problem\n'),
  });
});

test('a program that a signal ends has the exit code of that, and the shell says nothing', () => {
  expect(endOf(['sh', '-c', 'kill -9 $$; echo goes on'])).toEqual({
    exitCode: 137,
    stdout: '',
    stderr: Buffer.from(''),
  });
});

test('variables that shells would drop or change arrive as they are', () => {
  const env = {
    'a.b': '1',
    "it's $x": '"two"\nlines\n',
    '-u': '3',
    IFS: ':',
    PWD: '/none',
    SHLVL: '7',
    PLAIN: '4',
  };
  const read = 'process.stdout.write(JSON.stringify(process.env))';
  const { stdout, ...end } = endOf([process.execPath, '-e', read], env);
  expect(end).toEqual({ exitCode: 0, stderr: Buffer.from('') });
  expect(JSON.parse(stdout)).toMatchObject(env);
});

test('the values of such variables are no arguments of the shell', () => {
  expect(underShell(NAMES, { command: ['agent'], env: { 'api.key': 'secret' } })).toEqual({
    command: [
      '/bin/sh',
      '-c',
      expect.any(String) as string,
      'no-fork-9',
      expect.not.stringContaining('secret') as string,
      'box-1',
      'agent',
    ],
    env: { ASSAY_VARIABLE_0: 'secret' },
  });
});

test('such variables need the program env', () => {
  const folder = emptyFolder();
  expect(unstartedReason('box-1', endOf([process.execPath], { 'a.b': '1', IFS: ':' }, folder))).toBe(
    'the image needs the program `env` to set `a.b`, `IFS`',
  );
});

test('a missing program with such variables was not started', () => {
  expect(unstartedReason('box-1', endOf(['no-such-program'], { 'a.b': '1' }))).toBe(
    'no-such-program: not found',
  );
});

test('a program with an equals sign cannot get such variables, since `env` would take it for one', () => {
  expect(() => underShell(NAMES, { command: ['./a=b'], env: { 'a.b': '1' } })).toThrow(
    'a program with "=" in its name cannot set `a.b`',
  );
});

test('a program whose name begins with a dash is started', () => {
  const folder = emptyFolder();
  symlinkSync(process.execPath, join(folder, '-a'));
  const path = `${folder}:${process.env['PATH'] ?? ''}`;
  expect(endOf(['-a', '-p', '"started"'], {}, path)).toEqual({
    exitCode: 0,
    stdout: 'started\n',
    stderr: Buffer.from(''),
  });
});

/** An empty folder for programs. */
function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-first-'));
  onTestFinished(() => void rmSync(folder, { recursive: true }));
  return folder;
}

test.each([
  [['no-such-program'], 'no-such-program: not found'],
  [['/etc/passwd'], '/etc/passwd: '],
])('the reason is known why the shell could not start %j', (command, reason) => {
  expect(unstartedReason('box-1', endOf(command))).toContain(reason);
});

test.each([
  ['dash', 127, 'box-1: 1: exec: none: not found', 'none: not found'],
  ['dash', 126, 'box-1: 1: exec: /tmp/arm: Exec format error', '/tmp/arm: Exec format error'],
  ['busybox', 127, 'box-1: exec: line 0: none: not found', 'none: not found'],
  ['busybox', 126, 'box-1: exec: line 0: /tmp: Permission denied', '/tmp: Permission denied'],
  ['busybox', 127, '/tmp/arm: line 1: \u007FELF\u0002\u0001: not found', '/tmp/arm: Exec format error'],
  ['dash below env', 127, '/tmp/arm: 1: \u007FELF\u0002\u0001: not found', '/tmp/arm: Exec format error'],
  ['bash', 127, 'box-1: line 1: exec: none: not found', 'none: not found'],
  [
    'bash',
    127,
    'box-1: line 1: /tmp/none: No such file or directory',
    '/tmp/none: No such file or directory',
  ],
  [
    'bash',
    126,
    'box-1: line 1: /tmp/arm: cannot execute binary file: Exec format error\nbox-1: line 1: /tmp/arm: Success',
    '/tmp/arm: cannot execute binary file: Exec format error',
  ],
])('what %s says with exit code %i tells why it started nothing: %s', (_shell, exitCode, said, reason) => {
  expect(unstartedReason('box-1', { exitCode, stderr: Buffer.from(`${said}\n`) })).toBe(reason);
});

test.each([
  [['sh', '-c', 'no-such-program']],
  [['sh', '-c', 'echo "box-1: 1: exec: sh: not found" >&2; exit 1']],
])('a program that was started has failed by itself: %j', (command) => {
  expect(unstartedReason('box-1', endOf(command))).toBeUndefined();
});

test('a shell that may have no other process starts no program, and that is known', () => {
  const isRoot = process.getuid?.() === 0;
  // Root has no limit of processes, so an account without a name takes its place.
  const account = ['setpriv', '--reuid', '64123', '--regid', '64123', '--clear-groups', '--'];
  const { command, env } = underShell(NAMES, { command: ['echo', 'started'], env: {} });
  const limited = ['prlimit', '--nproc=1:1', '--', ...(isRoot ? account : []), ...command];
  const [program = '', ...args] = limited;
  const end = spawnSync(program, args, {
    env: { PATH: process.env['PATH'], ...env },
    timeout: 120_000,
  });
  expect([
    String(end.stdout),
    couldNotFork('no-fork-9', { exitCode: end.status, stderr: end.stderr }),
  ]).toEqual(['', true]);
});

test('a program cannot know how its container tells that there was no other process', () => {
  const read = 'cat /proc/$PPID/cmdline /proc/$PPID/environ /proc/$$/cmdline /proc/$$/environ';
  const { stdout, ...end } = endOf(['sh', '-c', read]);
  expect(end).toEqual({ exitCode: 0, stderr: Buffer.from('') });
  expect(stdout).toContain('box-1');
  expect(stdout).not.toContain('no-fork-9');
});

test.each([
  ['dash', 2, 'no-fork-9: 1: Cannot fork', true],
  ['busybox', 2, "no-fork-9: line 0: can't fork: Resource temporarily unavailable", true],
  ['bash', 254, 'no-fork-9: fork: retry: Try again\nno-fork-9: fork: Resource temporarily unavailable', true],
  ['bash that could fork later', 254, 'no-fork-9: fork: retry: Try again\nagent: failed', false],
  ['the program', 2, 'sh: 1: Cannot fork', false],
  ['the program, as the shell that starts it', 2, 'box-1: 1: Cannot fork', false],
  ['the program, with another exit code', 1, 'no-fork-9: 1: Cannot fork', false],
])('what %s says with exit code %i tells whether there was no other process', (_, exitCode, said, isSo) => {
  expect(couldNotFork('no-fork-9', { exitCode, stderr: Buffer.from(`${said}\n`) })).toBe(isSo);
});

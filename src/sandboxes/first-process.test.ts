import { spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { underShell, unstartedReason } from './first-process.ts';

/** How a program ends under the shell of this machine. */
function endOf(...command: readonly string[]) {
  const [program = '', ...args] = underShell('box-1', command);
  const { status, stdout, stderr } = spawnSync(program, args);
  return { exitCode: status, stdout: String(stdout), stderr };
}

test('output, arguments and exit code are those of the program', () => {
  const script = 'printf "%s|" "$0" "$@"; echo problem >&2; exit 7';
  expect(endOf('sh', '-c', script, 'a b', '', "it's\n*")).toEqual({
    exitCode: 7,
    stdout: "a b||it's\n*|",
    stderr: Buffer.from('problem\n'),
  });
});

test('a program that a signal ends has the exit code of that, and the shell says nothing', () => {
  expect(endOf('sh', '-c', 'kill -9 $$; echo goes on')).toEqual({
    exitCode: 137,
    stdout: '',
    stderr: Buffer.from(''),
  });
});

test.each([
  [['no-such-program'], 'no-such-program: not found'],
  [['/etc/passwd'], '/etc/passwd: '],
])('the reason is known why the shell could not start %j', (command, reason) => {
  expect(unstartedReason('box-1', endOf(...command))).toContain(reason);
});

test.each([
  ['sh', '-c', 'no-such-program'],
  ['sh', '-c', 'echo "box-1: 1: exec: sh: not found" >&2; exit 1'],
])('a program that was started has failed by itself: %s %s %s', (...command) => {
  expect(unstartedReason('box-1', endOf(...command))).toBeUndefined();
});

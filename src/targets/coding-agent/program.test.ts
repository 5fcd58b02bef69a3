import { expect, test } from 'vitest';

import { findAgent, versionIn } from './program.ts';

const printed = (stdout: string, stderr = '') => ({
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(stderr),
});

test.each([
  ['2.1.330 (Claude Code)\n', '', '2.1.330'],
  ['codex-cli 0.169.0-alpha.2\n', '', '0.169.0-alpha.2'],
  ['GitHub Copilot CLI 1.0.102.\n', '', '1.0.102'],
  ['', '0.73.1\n', '0.73.1'],
  ['1.2.3\n', 'needs Node 22.0.0\n', '1.2.3'],
  ['an unknown option\n', '', undefined],
])('the version in %j and %j on stderr is %s', (stdout, stderr, version) => {
  expect(versionIn(printed(stdout, stderr))).toBe(version);
});

test.each([
  ['no-such-program', 'no-such-program: not found on PATH'],
  ['./no-such-file', `no-such-file: file not found: ${import.meta.dirname}/no-such-file`],
  ['./program.ts', `program.ts: ${import.meta.dirname}/program.ts is not executable (chmod +x)`],
])('%s is reported as %s', async (command, words) => {
  const adapter = { programs: ['x'], install: 'npm install -g x' };
  const config = { command };
  const asked = { adapter, config, target: 't', directory: import.meta.dirname, env: { PATH: '/nowhere' } };
  await expect(findAgent(asked)).rejects.toMatchObject({
    detail: 'missing-binary',
    message: words,
  });
});

test('a program has its name in messages, and its folder only in its command', async () => {
  const asked = {
    adapter: { programs: ['x'], install: 'npm install -g x' },
    config: { command: process.execPath, commandArgs: ['--no-warnings'] },
    target: 't',
    directory: import.meta.dirname,
    env: { PATH: '/nowhere' },
  };
  expect(await findAgent(asked)).toEqual({
    name: 'node',
    command: [process.execPath, '--no-warnings'],
    target: 't',
    install: 'npm install -g x',
  });
});

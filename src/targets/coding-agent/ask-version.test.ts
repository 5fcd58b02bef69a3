import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { temporaryFolder } from '../../../test/contracts/target.ts';
import { inspectAgent } from './inspect-agent.ts';
import { versionOf } from './program.ts';

const { signal } = new AbortController();

/** A program that leaves a process in a session of its own before it says which version it is. */
function leaving() {
  const directory = temporaryFolder();
  const program = join(directory, 'agent');
  const pidFile = join(directory, 'pid');
  const script = [
    '#!/bin/sh',
    `setsid sh -c 'echo $$ > ${pidFile}.new; mv ${pidFile}.new ${pidFile}; exec sleep 600' >/dev/null 2>&1 &`,
    `until [ -s ${pidFile} ]; do sleep 0.01; done`,
    'echo 1.2.3',
  ];
  writeFileSync(program, `${script.join('\n')}\n`);
  chmodSync(program, 0o755);
  onTestFinished(() => {
    if (isAlive(pidIn(pidFile))) process.kill(pidIn(pidFile), 'SIGKILL');
  });
  return { directory, program, pid: () => pidIn(pidFile) };
}

function pidIn(file: string): number {
  return Number(readFileSync(file, 'utf8'));
}

/** The dead whom no init has collected count as dead. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

const environment = { PATH: process.env['PATH'] ?? '' };

test('a program that is asked for its version leaves nothing running', async () => {
  const { directory, program, pid } = leaving();
  const found = { command: [program], name: 'agent', target: 'a', install: 'install it' };
  expect(await versionOf(found, { directory, env: environment }, signal)).toBe('1.2.3');
  expect(isAlive(pid())).toBe(false);
});

test('nor does one that is looked at', async () => {
  const { directory, program, pid } = leaving();
  const adapter = {
    type: 'a',
    programs: [program],
    install: 'install it',
    triedVersions: ['1.2.3'],
    credentials: [],
  };
  const { version } = await inspectAgent(adapter, { directory, operatorEnvironment: environment }, signal);
  expect({ version, isAlive: isAlive(pid()) }).toEqual({ version: '1.2.3', isAlive: false });
});

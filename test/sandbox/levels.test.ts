import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { CONTAINER } from '../contracts/container.ts';
import { openSandbox } from '../../src/sandboxes/open-sandbox.ts';
import { ESCAPES } from '../../src/sandboxes/probes.ts';
import { trySandbox } from '../../src/sandboxes/try-sandbox.ts';
import { folder, inside, sandboxContract, sandboxPlace } from '../contracts/sandbox.ts';

const everything = Object.keys(ESCAPES) as (keyof typeof ESCAPES)[];

sandboxContract('process', { settings: {}, open: everything });
sandboxContract('namespace', { settings: { level: 'namespace' }, open: [] });
sandboxContract('namespace with the network of the host', {
  settings: { level: 'namespace', network: 'host' },
  open: ['reach-loopback', 'reach-network', 'reach-abstract-socket'],
});

sandboxContract('container', { settings: { ...CONTAINER, mountAgent: true, network: 'none' }, open: [] });

test('the probes find what an ordinary process can do', async () => {
  const { escapes } = await trySandbox(
    openSandbox({}, sandboxPlace()),
    sandboxPlace(),
    new AbortController().signal,
  );
  expect(escapes).toEqual(
    expect.arrayContaining([
      'read-beside',
      'list-beside',
      'read-other-workspace',
      'read-by-link',
      'read-by-hard-link',
      'see-processes',
      'read-environment',
      'write-beside',
      'gain-rights',
      'reach-loopback',
      'reach-abstract-socket',
      'reach-socket',
    ]),
  );
});

test('the network of the host is shared only if the settings say so', async () => {
  const sandbox = openSandbox({ level: 'namespace', network: 'host' }, sandboxPlace());
  const { escapes } = await trySandbox(sandbox, sandboxPlace(), new AbortController().signal);
  expect(escapes).toContain('reach-loopback');
});

test('a mount is seen at its path, and can be changed only if it says so', async () => {
  const directory = folder();
  mkdirSync(join(directory, 'data'));
  writeFileSync(join(directory, 'data', 'file'), 'mounted');
  mkdirSync(join(directory, 'out'));
  const sandbox = openSandbox(
    {
      level: 'namespace',
      mount: [
        { from: './data', at: '/data' },
        { from: './out', at: '/out', write: true },
      ],
    },
    sandboxPlace(directory),
  );
  const shell = 'cat /data/file; echo x > /data/new || echo " refused"; echo y > /out/new && cat /out/new';
  const { stdout } = await inside(sandbox, folder(), { command: { shell } });
  expect(stdout).toBe('mounted refused\ny\n');
});

test('the home directory is empty and can be written, and nothing of it stays', async () => {
  const home = folder();
  writeFileSync(join(home, 'secret'), 'x');
  const sandbox = openSandbox({ level: 'namespace' }, sandboxPlace());
  const shell = 'ls -A "$HOME"; echo x > "$HOME/left"; ls -A "$HOME"';
  const { stdout } = await inside(sandbox, folder(), { command: { shell }, env: { HOME: home } });
  expect(stdout).toBe('left\n');
});

test('a program in a folder of packages sees its packages, and not the project around them', async () => {
  const project = folder();
  const bin = join(project, 'node_modules', '.bin');
  const own = join(project, 'node_modules', 'agent');
  const other = join(project, 'node_modules', 'other');
  for (const path of [bin, own, other]) mkdirSync(path, { recursive: true });
  writeFileSync(join(project, 'secret'), 'x');
  writeFileSync(join(other, 'part'), 'of a package');
  writeFileSync(join(own, 'run'), `#!/bin/sh\ncat "${other}/part"; ls "${project}"\n`, { mode: 0o755 });
  writeFileSync(join(bin, 'agent'), `#!/bin/sh\nexec "${own}/run"\n`, { mode: 0o755 });
  const sandbox = openSandbox({ level: 'namespace' }, sandboxPlace());
  const { stdout } = await inside(sandbox, folder(), { command: [join(bin, 'agent')] });
  expect(stdout).toBe('of a packagenode_modules\n');
});

test('an error of bubblewrap is an error of the sandbox', async () => {
  const sandbox = openSandbox({ level: 'namespace', mount: [{ from: '/no/such/folder' }] }, sandboxPlace());
  const { failure } = await inside(sandbox, folder(), { command: ['true'] });
  expect(failure).toMatchObject({
    kind: 'sandbox',
    message:
      "the sandbox could not be started: Can't find source path /no/such/folder: No such file or directory",
  });
});

test.each(['none', 'provider', 'host'] as const)(
  'with network %s, a program that is missing is an error of the sandbox',
  async (network) => {
    const sandbox = openSandbox({ level: 'namespace', network }, sandboxPlace());
    const { failure } = await inside(sandbox, folder(), { command: ['no-such-program'] });
    expect(failure?.message).toContain('execvp no-such-program: No such file or directory');
  },
);

test.each(['none', 'provider', 'host'] as const)(
  'with network %s, a program that prints what bubblewrap prints has failed by itself',
  async (network) => {
    const sandbox = openSandbox({ level: 'namespace', network }, sandboxPlace());
    const shell = 'echo "bwrap: Creating new namespace failed" >&2; exit 1';
    const result = await inside(sandbox, folder(), { command: { shell } });
    expect(result).toMatchObject({ exitCode: 1, stderr: 'bwrap: Creating new namespace failed\n' });
    expect(result.failure).toBeUndefined();
  },
);

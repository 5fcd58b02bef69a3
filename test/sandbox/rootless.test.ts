import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { findProgram } from '../../src/lib/process/find-program.ts';
import { rowsOf, runsIn } from '../e2e/support/project.ts';
import { accountWithoutRoot, type Account } from './support/account.ts';

/** Of this test alone: without root, it is among the images of a person. */
const IMAGE = `localhost/assay-rootless-${randomBytes(4).toString('hex')}:1`;

/** A server of this machine. */
async function startServer(): Promise<number> {
  const server = createServer((_, response) => response.end('answered')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A project of the account, whose agent runs in an image of its own. */
async function projectOf({ home, name, run }: Account, port: number): Promise<string> {
  const project = join(home, 'project');
  const image = join(home, 'image');
  for (const folder of [project, join(project, 'template'), join(image, 'bin')])
    mkdirSync(folder, { recursive: true });
  const place = { cwd: '/', env: { PATH: process.env['PATH'] ?? '' } };
  const busybox = (await findProgram('busybox', place)) ?? '';
  expect(busybox).not.toBe('');
  // The image has no libraries.
  const libraries = execFileSync('sh', ['-c', 'ldd "$0" 2>&1 || true', busybox], { encoding: 'utf8' });
  expect(libraries).toMatch(/not a (?:valid )?dynamic|statically linked/i);
  for (const applet of ['busybox', 'sh', 'wget', 'id', 'ls', 'sleep', 'setsid'])
    copyFileSync(busybox, join(image, 'bin', applet));
  writeFileSync(join(project, 'canary.txt'), 'x');
  writeFileSync(join(project, 'template/given.txt'), 'given');
  const agent = `wget -q -O - http://127.0.0.1:${port}/; echo; wget -q -O - http://example.com/ 2>/dev/null || echo refused
    id -u; ls; test -e '${project}' && echo escaped; (setsid sleep 900 > /dev/null 2>&1 &); echo made > made.txt; echo done`;
  const config = {
    targets: {
      agent: {
        type: 'cli',
        command: ['/bin/sh', '-c', agent],
        sandbox: {
          level: 'container',
          engine: 'podman',
          image: IMAGE,
          network: [`127.0.0.1:${port}`],
        },
      },
    },
  };
  writeFileSync(join(project, 'assay.config.json'), JSON.stringify(config));
  const evals = {
    workspace: { template: './template' },
    tests: [
      { id: 'one', input: 'go', assert: [{ type: 'files', contains: { 'made.txt': 'made' } }], repeat: 3 },
    ],
  };
  writeFileSync(join(project, 'a.eval.yaml'), JSON.stringify(evals));
  execFileSync('tar', ['-cf', join(home, 'image.tar'), '-C', image, '.']);
  execFileSync('chown', ['-R', `${name}:`, home]);
  expect(await run(['podman', 'import', join(home, 'image.tar'), IMAGE])).toMatchObject({ code: 0 });
  return project;
}

test('an account without root runs agents in containers of podman, and nothing is left of them', async () => {
  await using account = accountWithoutRoot();
  const project = await projectOf(account, await startServer());
  const { code, stdout, stderr } = await account.assay(project, 'run');
  expect({ code, said: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, said: '' });
  const rows = rowsOf(runsIn(join(project, '.assay/runs')).at(-1) ?? '');
  const uid = execFileSync('id', ['-u', account.name], { encoding: 'utf8' }).trim();
  const output = ['answered', 'refused', uid, 'given.txt', 'done'].join('\n');
  expect(rows.map((row) => [row.verdict, row.isolation, row.output, row.network])).toEqual(
    [1, 2, 3].map(() => ['passed', 'container', output, { refused: { 'example.com': 1 } }]),
  );
  const ofImage = ['--filter', `ancestor=${IMAGE}`];
  const left = await account.run(['podman', 'ps', '--all', '--quiet', ...ofImage]);
  expect(left).toMatchObject({ code: 0, stdout: '' });
  expect(await account.run(['podman', 'rmi', IMAGE])).toMatchObject({ code: 0 });
  expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(account.home);
});

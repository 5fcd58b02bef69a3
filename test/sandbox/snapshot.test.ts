import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { snapshot } from '../../src/lib/files/snapshot.ts';
import { runProcess } from '../../src/lib/process/run-process.ts';
import { folder } from '../contracts/sandbox.ts';
import { program } from '../e2e/support/dist.ts';
import { newestRun, openProject, rowOf } from '../e2e/support/project.ts';

test('a full disk while the workspace is copied errors only that trial, and leaves nothing', async () => {
  const fills = 'case "$1" in large) head -c 5000000 /dev/zero > big;; esac; echo done';
  const file = { type: 'files', exists: ['a.txt'] };
  await using project = openProject({
    'template/a.txt': 'a',
    'a.eval.yaml': {
      workspace: { template: './template' },
      tests: ['large', 'small'].map((id) => ({ id, input: id, assert: [file] })),
    },
    'assay.config.json': {
      targets: { agent: { type: 'cli', command: ['sh', '-c', fills, 'sh', '{PROMPT}'] } },
      run: { concurrency: 1 },
    },
  });
  const { cwd, env } = project.place();
  const small = ['--size', '12000000', '--tmpfs', project.marker, '--chdir', cwd];
  const command = ['bwrap', '--dev-bind', '/', '/', ...small, process.execPath, program, 'run'];
  const { outcome } = await runProcess({ command, cwd, env }, new AbortController().signal);
  expect(outcome).toBe('exited');
  const run = newestRun(project);
  expect(rowOf(run, 'large').error).toMatchObject({
    kind: 'sandbox',
    message: expect.stringContaining('the workspace cannot be copied for grading: ENOSPC') as string,
  });
  expect(rowOf(run, 'small').verdict).toBe('passed');
});

test('devices and pipes are left out of the copy', async () => {
  const [source, copy] = [folder(), folder()];
  // The only device that every account may make.
  execFileSync('mknod', [join(source, 'device'), 'c', '0', '0']);
  execFileSync('mkfifo', [join(source, 'pipe')]);
  writeFileSync(join(source, 'file'), 'x');
  const limits = { maxBytes: 10, signal: new AbortController().signal };
  expect(await snapshot(source, copy, limits)).toEqual({ dropped: ['device', 'pipe'] });
  expect(readdirSync(copy)).toEqual(['file']);
});

test('a workspace of 100,000 files is copied', async () => {
  const [source, copy] = [folder(), folder()];
  for (let group = 0; group < 100; group += 1) {
    mkdirSync(join(source, `${group}`));
    for (let n = 0; n < 1000; n += 1) writeFileSync(join(source, `${group}`, `${n}`), '');
  }
  const limits = { maxBytes: 1, signal: new AbortController().signal };
  expect(await snapshot(source, copy, limits)).toEqual({ dropped: [] });
  const again = await snapshot(copy, folder(), limits);
  expect(again).toEqual({ dropped: [] });
});

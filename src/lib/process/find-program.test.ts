import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findProgram } from './find-program.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

let cwd: string;

beforeEach(async () => {
  cwd = folderOfTest('find-program-');
  await Promise.all(['first', 'second'].map((name) => mkdir(join(cwd, name))));
  await writeFile(join(cwd, 'first/tool'), '');
  await mkdir(join(cwd, 'first/folder'));
  await writeFile(join(cwd, 'second/tool'), '#!/bin/sh\n');
  await chmod(join(cwd, 'second/tool'), 0o755);
});

test('the first executable file on the PATH is found', async () => {
  const place = { cwd, env: { PATH: `${cwd}/missing:${cwd}/first:${cwd}/second` } };
  expect(await findProgram('tool', place)).toBe(join(cwd, 'second/tool'));
  expect(await findProgram('folder', place)).toBeUndefined();
  expect(await findProgram('other', place)).toBeUndefined();
  expect(await findProgram('', place)).toBeUndefined();
});

test('relative folders and paths start at the directory', async () => {
  expect(await findProgram('tool', { cwd, env: { PATH: 'second' } })).toBe(join(cwd, 'second/tool'));
  expect(await findProgram('second/tool', { cwd, env: {} })).toBe(join(cwd, 'second/tool'));
  expect(await findProgram('first/tool', { cwd, env: {} })).toBeUndefined();
});

test('without a PATH the system programs are found', async () => {
  expect(await findProgram('sh', { cwd, env: {} })).toMatch(/^\/(usr\/)?bin\/sh$/);
});

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';

import { repositoryState } from './repository-state.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

let root: string;

beforeEach(() => {
  root = folderOfTest('assay-repository-');
});

/** A folder in which `git` finds a repository, whatever there is. */
function stateIn(cwd: string, lines: readonly string[]) {
  mkdirSync(join(root, 'bin'));
  const program = join(root, 'bin', 'git');
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')}\n`);
  chmodSync(program, 0o755);
  mkdirSync(cwd, { recursive: true });
  return repositoryState({ cwd, environment: { PATH: `${join(root, 'bin')}:/usr/bin:/bin` } });
}

test('commit and cleanness are reported in any folder of a repository', async () => {
  mkdirSync(join(root, '.git'));
  const state = stateIn(join(root, 'evals', 'billing'), ['# branch.oid abc', '# branch.head main']);
  expect(await state).toEqual({ commit: 'abc', dirty: false });
});

test('a changed file makes a work tree dirty, whose .git is a file', async () => {
  writeFileSync(join(root, '.git'), 'gitdir: elsewhere\n');
  const state = stateIn(root, ['# branch.oid abc', '1 .M N... 100644 100644 100644 a a agent.ts']);
  expect(await state).toEqual({ commit: 'abc', dirty: true });
});

test('before the first commit there is nothing to tell', async () => {
  mkdirSync(join(root, '.git'));
  expect(await stateIn(root, ['# branch.oid (initial)'])).toBeUndefined();
});

test('outside a repository git is not even asked', async () => {
  expect(await stateIn(root, ['# branch.oid abc'])).toBeUndefined();
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { changeMark } from '../../lib/files/change-mark.ts';
import { hasChanged, layOver } from './lay-over.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

async function laidOne() {
  const root = folderOfTest('lay-');
  const [source, work] = [join(root, 'a.sh'), join(root, 'work')];
  writeFileSync(source, 'hidden');
  mkdirSync(work);
  const [laid] = await layOver(source, { root: work, at: 'tests' });
  if (laid === undefined) throw new Error('nothing was laid');
  return laid;
}

test('a copy is as it was laid until somebody writes it', async () => {
  const laid = await laidOne();
  expect(hasChanged(laid)).toBe(false);
  writeFileSync(laid.path, readFileSync(laid.path));
  expect(hasChanged(laid)).toBe(true);
});

test('a write between copying and marking is seen too', async () => {
  const laid = await laidOne();
  writeFileSync(laid.path, 'forged');
  expect(hasChanged({ ...laid, mark: changeMark(laid.path) })).toBe(true);
});

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { folderOfTest } from '../../../test/support/test-folders.ts';
import { importIntoOwnProcess } from './import-module.ts';
import { moduleFault } from './module-fault.ts';

test('a fault has its line and column, also after a sound version of the same file', () => {
  const { path } = project();
  expect(moduleFault(path, 'export default 1;')).toBe(undefined);
  expect(moduleFault(path, 'const a: number = 1;\nexport default (')).toBe('2:16: Unexpected token');
  expect(moduleFault(path, 'export default 1;')).toBe(undefined);
});

test('a sound module is kept as its later import reads it', async () => {
  const { path, cache } = project();
  const source = 'export default (a: number): number => a + 1;';
  writeFileSync(path, source);
  expect(moduleFault(path, source)).toBe(undefined);
  const kept = readdirSync(cache).toSorted();
  expect(kept.map((name) => name.split('.')[1]).toSorted()).toEqual(['js', 'parses']);
  const { default: add } = await importIntoOwnProcess(path);
  expect((add as (a: number) => number)(1)).toBe(2);
  expect(moduleFault(path, source)).toBe(undefined);
  expect(readdirSync(cache).toSorted()).toEqual(kept);
});

test('a broken file is kept nowhere, nor is anything outside a project', () => {
  const { path, cache } = project();
  expect(moduleFault(path, 'export default (')).toBe('1:16: Unexpected token');
  expect(readdirSync(cache)).toEqual([]);
  const outside = folderOfTest('assay-fault-');
  expect(moduleFault(join(outside, 'check.ts'), 'export default 1;')).toBe(undefined);
  expect(readdirSync(outside)).toEqual([]);
});

/** A project that keeps what its modules become. */
function project(): { readonly path: string; readonly cache: string } {
  const folder = folderOfTest('assay-fault-');
  mkdirSync(join(folder, '.assay'));
  return { path: join(folder, 'check.ts'), cache: join(folder, '.assay/cache/modules') };
}

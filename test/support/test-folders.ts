import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** A new folder, which is removed when the running test has finished. Also for `beforeEach`. */
export function folderOfTest(prefix: string): string {
  const folder = newFolder(prefix);
  onTestFinished(() => removed(folder));
  return folder;
}

/** A new folder for all tests of a file or a `describe`, which is removed after them. */
export function folderOfTests(prefix: string): string {
  const folder = newFolder(prefix);
  afterAll(() => removed(folder));
  return folder;
}

function newFolder(prefix: string): string {
  return realpathSync(mkdtempSync(join(tmpdir(), prefix)));
}

function removed(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { importModule, isLoadingModule } from './import-module.ts';

test('a module that never finishes loading is given up', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'import-module-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'waits.mjs');
  writeFileSync(path, 'await new Promise(() => {}); export default 1;');
  const loading = importModule(path, 200);
  await expect(loading).rejects.toThrow('loading timed out after 0.2 s');
  expect(isLoadingModule()).toBe(false);
});

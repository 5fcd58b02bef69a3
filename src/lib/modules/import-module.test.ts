import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { importModule, isLoadingModule } from './import-module.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

test('a module that never finishes loading is given up', async () => {
  const folder = folderOfTest('import-module-');
  const path = join(folder, 'waits.mjs');
  writeFileSync(path, 'await new Promise(() => {}); export default 1;');
  const loading = importModule(path, 200);
  await expect(loading).rejects.toThrow('loading timed out after 0.2 s');
  expect(isLoadingModule()).toBe(false);
});

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { bytePath } from '../lib/files/byte-path.ts';
import { restoreFiles } from './restore-files.ts';
import type { TreeEntry } from './scan-tree.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

test('a file that is written again while it is put back was tampered with', async () => {
  const folder = folderOfTest('restore-files-');
  const link: TreeEntry = { mode: '120000', id: 'target', size: 6, permissions: 0o777 };
  /** Read after the old file was removed: the moment for a program that writes it all the time. */
  const content = new Proxy(Buffer.from('target'), {
    get(bytes, key) {
      if (readdirSync(folder).length === 0) writeFileSync(join(folder, 'a'), 'evil');
      return Reflect.get(bytes, key, bytes) as unknown;
    },
  });
  const restoring = restoreFiles({
    directory: bytePath(folder),
    before: new Map([[bytePath('a'), link]]),
    after: new Map(),
    isProtected: () => true,
    blobs: async () => new Map([['target', content]]),
  });
  await expect(restoring).rejects.toMatchObject({
    message: 'a was changed while assay restored it',
    stage: 'workspace',
    kind: 'tampered',
  });
});

import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { ownStatusAt, statusAt } from './file-status.ts';

test('an impossible path has no status', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-status-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'file'), 'x');
  symlinkSync('circle', join(folder, 'circle'));
  const kinds = ['file', 'file/below', 'gone', 'circle', 'x'.repeat(5000), 'a\0b'].map((name) => {
    const path = join(folder, name);
    return [statusAt(path)?.isFile(), ownStatusAt(path)?.isSymbolicLink()];
  });
  expect(kinds).toEqual([
    [true, false],
    [undefined, undefined],
    [undefined, undefined],
    [undefined, true],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

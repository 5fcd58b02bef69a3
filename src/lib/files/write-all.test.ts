import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';

import { writeText } from './write-all.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

let folder: string;

beforeEach(() => {
  folder = folderOfTest('write-');
});

it('writes a large text whole, wherever its pieces are cut', () => {
  const file = join(folder, 'text');
  for (const before of ['', 'a', 'ü']) {
    const text = before + '😀'.repeat(300_000);
    const descriptor = openSync(file, 'w');
    writeText(descriptor, text);
    closeSync(descriptor);
    expect(readFileSync(file, 'utf8') === text).toBe(true);
  }
});

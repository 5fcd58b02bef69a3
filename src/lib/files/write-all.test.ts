import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { writeText } from './write-all.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

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

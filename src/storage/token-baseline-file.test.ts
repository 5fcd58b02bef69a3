import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { readTokenBaselines } from './token-baseline-file.ts';

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'baselines-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 's.json'), text);
  return join(folder, 's.json');
}

test('a file without valid baselines is reported on one line, with all its problems', () => {
  const path = fileWith('{ "version": 2, "entries": 5 }');
  const refused = expect.objectContaining({
    code: 'snapshots-unreadable',
    message: `${path} is not a valid file of token baselines: version: Invalid input: expected 1; entries: Invalid input: expected record, received number`,
    hint: 'restore it, or remove it and record it again with --update-snapshots',
  }) as Error;
  expect(() => readTokenBaselines(path)).toThrow(refused);
});

test('a file that is not there holds none', () => {
  expect(readTokenBaselines(`${fileWith('')}.not`)).toEqual([]);
});

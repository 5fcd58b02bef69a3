import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readTokenBaselines } from './token-baseline-file.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

function fileWith(text: string): string {
  const folder = folderOfTest('baselines-');
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

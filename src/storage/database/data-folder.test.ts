import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { temporaryFolder } from '../../../test/contracts/target.ts';
import { claimDataFolder } from './data-folder.ts';

test('git ignores the data of the embedded database', () => {
  const data = join(temporaryFolder(), 'data');
  claimDataFolder(data).release();
  expect(readFileSync(join(data, '.gitignore'), 'utf8')).toBe('*\n');
});

test('a file instead of the folder is reported', () => {
  const data = join(temporaryFolder(), 'data');
  writeFileSync(data, 'junk');
  expect(() => claimDataFolder(data)).toThrow(
    expect.objectContaining({
      code: 'database-unreachable',
      message: `${data} is a file, expected a folder`,
    }),
  );
});

test('data of another major version of PostgreSQL is named and not opened', () => {
  const data = join(temporaryFolder(), 'data');
  mkdirSync(join(data, 'pg12'), { recursive: true });
  expect(() => claimDataFolder(data)).toThrow(
    expect.objectContaining({ code: 'data-directory-other-version' }),
  );
});

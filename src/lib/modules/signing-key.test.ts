import { chmodSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { signingKey } from './signing-key.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

const home = () => folderOfTest('signing-key-');

test('the key is made once, at random, for its owner alone', () => {
  const place = home();
  const key = signingKey(place);
  expect(signingKey(place)).toEqual(key);
  expect(key).toHaveLength(32);
  expect(signingKey(home())).not.toEqual(key);
  const folder = join(place, '.local/state/assay');
  expect(readdirSync(folder)).toEqual(['module-key']);
  expect(statSync(join(folder, 'module-key')).mode & 0o777).toBe(0o600);
});

test.each<[string, (path: string) => void]>([
  ['that others can read', (path) => chmodSync(path, 0o644)],
  ['that is too short', (path) => writeFileSync(path, 'short')],
  [
    'that is a link',
    (path) => {
      rmSync(path);
      symlinkSync('/dev/zero', path);
    },
  ],
])('a key %s is not used', (_, change) => {
  const place = home();
  signingKey(place);
  change(join(place, '.local/state/assay/module-key'));
  expect(signingKey(place)).toBeUndefined();
});

test('there is no key when none can be written', () => {
  expect(signingKey('/proc')).toBeUndefined();
});

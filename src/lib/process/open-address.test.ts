import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openAddress } from './open-address.ts';
import { folderOfTests } from '../../../test/support/test-folders.ts';

const folder = folderOfTests('assay-open-');

test.each([
  ['linux', 'xdg-open'],
  ['darwin', 'open'],
] as const)('on %s %s gets the address', async (platform, program) => {
  const told = join(folder, `${program}.txt`);
  writeFileSync(join(folder, program), `#!/bin/sh\necho "$@" > '${told}'\n`);
  chmodSync(join(folder, program), 0o755);
  const env = { PATH: folder };
  expect(await openAddress('http://127.0.0.1:1/', { cwd: folder, env, platform })).toBeUndefined();
  await expect.poll(() => existsSync(told) && readFileSync(told, 'utf8')).toBe('http://127.0.0.1:1/\n');
});

test('reports why nothing was opened', async () => {
  const place = { cwd: folder, env: { PATH: '/nowhere' }, platform: 'linux' } as const;
  expect(await openAddress('http://127.0.0.1:1/', place)).toBe('xdg-open: program not found');
});

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { folderOfTest } from '../../test/support/test-folders.ts';
import { namespaceFault } from './check-namespace.ts';

const OFF =
  'bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.';

test('a machine without user namespaces is told before anything runs, with the line that allows them', async () => {
  const directory = folderOfTest('assay-bwrap-');
  // What bubblewrap says when the kernel refuses.
  writeFileSync(join(directory, 'bwrap'), `#!/bin/sh\necho "${OFF}" >&2\nexit 1\n`);
  chmodSync(join(directory, 'bwrap'), 0o755);
  const operatorEnvironment = { PATH: `${directory}:/usr/bin:/bin` };
  expect(
    await namespaceFault({ directory, operatorEnvironment }, new AbortController().signal),
  ).toMatchObject({
    why: expect.stringContaining('No permissions to create new namespace'),
    hint: expect.stringContaining('sysctl user.max_user_namespaces'),
  });
});

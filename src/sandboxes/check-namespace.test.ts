import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { folderOfTest } from '../../test/support/test-folders.ts';
import { namespaceFault } from './check-namespace.ts';

/** What bubblewrap says when the kernel refuses. */
const OFF =
  'bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.';

/** What it says of a flag that it does not know. */
const OLD = 'bwrap: Unknown option --json-status-fd';

test.each([
  [
    'without user namespaces',
    OFF,
    'No permissions to create new namespace',
    'sysctl user.max_user_namespaces',
  ],
  ['with an old bubblewrap', OLD, 'Unknown option --json-status-fd', 'install bubblewrap 0.4 or newer'],
])('a machine %s is told before anything runs, with what to do', async (_, says, why, hint) => {
  const directory = folderOfTest('assay-bwrap-');
  writeFileSync(join(directory, 'bwrap'), `#!/bin/sh\necho "${says}" >&2\nexit 1\n`);
  chmodSync(join(directory, 'bwrap'), 0o755);
  const operatorEnvironment = { PATH: `${directory}:/usr/bin:/bin` };
  expect(
    await namespaceFault({ directory, operatorEnvironment }, new AbortController().signal),
  ).toMatchObject({ why: expect.stringContaining(why), hint: expect.stringContaining(hint) });
});

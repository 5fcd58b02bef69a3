import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { startMockServer } from './mock-server.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

test.each([
  ['gone.yaml', 'file not found', 'correct the path after --script'],
  ['bad.yaml', expect.stringContaining('at line 1, column 2'), 'write it as YAML or JSON'],
])('the script %s is refused with the reason', async (script, message, hint) => {
  const cwd = folderOfTest('script-');
  writeFileSync(join(cwd, 'bad.yaml'), '[');
  await expect(startMockServer({ port: 0, script }, { cwd })).rejects.toMatchObject({
    problems: [{ file: script, code: 'script-unreadable', message, hint }],
  });
});

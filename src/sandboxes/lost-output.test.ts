import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { lostOutput } from './lost-output.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

const AT = '2026-11-28T09:00:00.000000000+00:00';

function logOf(...lines: readonly string[]): string {
  const folder = folderOfTest('assay-lost-');
  writeFileSync(join(folder, 'log'), lines.map((line) => `${AT} ${line}\n`).join(''));
  return join(folder, 'log');
}

test('output is whole if as much was read as the engine has in its log', async () => {
  const log = logOf('stdout F done', 'stderr P half', 'stdout F ', 'stderr F  a line');
  expect(await lostOutput(log, { stdout: 6, stderr: 12 })).toBeUndefined();
});

test.each([
  ['stdout', { stdout: 0, stderr: 5 }],
  ['the end of stdout', { stdout: 9, stderr: 5 }],
  ['stderr', { stdout: 10, stderr: 0 }],
])('%s that was not read is an error of the sandbox', async (_, read) => {
  const log = logOf('stdout F done', 'stderr F oops', 'stdout F last');
  expect(await lostOutput(log, read)).toMatchObject({ kind: 'sandbox', stage: 'target' });
});

test('nothing is known without a log', async () => {
  expect(await lostOutput(join(tmpdir(), 'assay-no-such-log'), { stdout: 0, stderr: 0 })).toBeUndefined();
});

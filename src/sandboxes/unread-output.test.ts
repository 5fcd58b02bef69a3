import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { folderOfTest } from '../../test/support/test-folders.ts';
import { unreadOutput } from './unread-output.ts';

const AT = '2026-11-28T09:00:00.000000000+00:00';

function logOf(...lines: readonly string[]): string {
  const folder = folderOfTest('assay-unread-');
  writeFileSync(join(folder, 'log'), lines.map((line) => `${AT} ${line}\n`).join(''));
  return join(folder, 'log');
}

async function unread(log: string, read: { readonly stdout: number; readonly stderr: number }) {
  const { stdout, stderr } = await unreadOutput(log, read);
  return [String(stdout), String(stderr)];
}

test('nothing is unread if as much was read as the engine has in its log', async () => {
  const log = logOf('stdout F done', 'stderr P half', 'stdout F ', 'stderr F  a line');
  expect(await unread(log, { stdout: 6, stderr: 12 })).toEqual(['', '']);
});

test.each([
  [{ stdout: 0, stderr: 5 }, ['done\nlast', '']],
  [{ stdout: 6, stderr: 5 }, ['ast', '']],
  [{ stdout: 4, stderr: 0 }, ['\nlast', 'oops\n']],
  // The engine itself may have complained too.
  [{ stdout: 9, stderr: 50 }, ['', '']],
])('after %j the rest is in the log', async (read, rest) => {
  const log = logOf('stdout F done', 'stderr F oops', 'stdout P last');
  expect(await unread(log, read)).toEqual(rest);
});

test('nothing is known without a log', async () => {
  expect(await unread(join(tmpdir(), 'assay-no-such-log'), { stdout: 0, stderr: 0 })).toEqual(['', '']);
});

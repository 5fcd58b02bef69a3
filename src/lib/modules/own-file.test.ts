import { execPath } from 'node:process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { ownFile, ownProgram } from './own-file.ts';

const src = join(import.meta.dirname, '..', '..');

test('a file of assay is found by its place in src, from any caller', () => {
  expect(ownFile('lib/modules/own-file')).toBe(join(src, 'lib/modules/own-file.ts'));
  expect(ownFile('core/run')).toBe(join(src, 'core/run.ts'));
  expect(ownFile('core/no-such-file')).toBe(undefined);
});

test('a program of ours runs in this very Node', () => {
  const command = ownProgram('core/run');
  expect([command[0], command.at(-1)]).toEqual([execPath, join(src, 'core/run.ts')]);
  expect(() => ownProgram('no/such-host')).toThrow('no/such-host.ts is missing from this installation');
});

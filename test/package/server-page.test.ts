import { join } from 'node:path';

import { afterAll, expect, inject, test } from 'vitest';

import { blocksOf } from '../docs/blocks.ts';
import { scratchFolder, shell } from '../docs/packed.ts';
import { startPageServer } from '../docs/served-page.ts';

const ADDRESS = 'http://127.0.0.1:4640';
const scratch = scratchFolder();
const program = join(inject('installed'), 'node_modules/.bin/assay');

afterAll(() => scratch[Symbol.dispose]());

test('the server of the page starts, and all commands of the page work with it, one after the other', async () => {
  const [first, ...others] = blocksOf('docs/guide/server.md')
    .filter(({ words }) => words.includes('serves'))
    .map(({ text }) => text);
  expect(first).toBe('npx assay serve\n');
  await using server = await startPageServer(program, first ?? '', scratch.path);
  const commands = others
    .join('')
    .replaceAll(ADDRESS, server.address)
    .replaceAll('npx assay', `'${program}'`)
    .replaceAll('curl ', 'curl --fail --silent --show-error ');
  const { code, stdout, stderr } = await shell(`set -e\n${commands}`, scratch.path);
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'wrote 1 test case to cases.json\n' });
  expect(stdout).toContain('"max_turns":4');
  expect(stdout).toContain('imported 1 test case: 1 unchanged\n');
  expect(stdout).toContain('format: assay-cases\n');
});

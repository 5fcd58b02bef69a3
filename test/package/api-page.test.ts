import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, expect, inject, test } from 'vitest';

import { blocksOf, wordOf } from '../docs/blocks.ts';
import { scratchFolder, shell } from '../docs/packed.ts';
import { startPageServer } from '../docs/served-page.ts';

const ADDRESS = 'http://127.0.0.1:4640';
const scratch = scratchFolder();
const program = join(inject('installed'), 'node_modules/.bin/assay');

afterAll(() => scratch[Symbol.dispose]());

test('every example of the page of the API is answered, one after the other', async () => {
  const blocks = blocksOf('docs/guide/api.md');
  for (const block of blocks) {
    const file = wordOf(block, 'file');
    if (file !== undefined) writeFileSync(join(scratch.path, file), block.text);
  }
  const [first = '', ...others] = blocks
    .filter(({ words }) => words.includes('serves'))
    .map(({ text }) => text);
  await using server = await startPageServer(program, first, scratch.path);
  const script = [
    'set -e',
    'curl() { command curl --fail-with-body --silent --show-error "$@" || { echo "refused: $*" >&2; exit 1; }; }',
    others.join('').replaceAll(ADDRESS, server.address),
  ].join('\n');
  const { code, stdout, stderr } = await shell(script, scratch.path);
  expect({ code, stderr, end: code === 0 ? '' : stdout.slice(-500) }).toEqual({
    code: 0,
    stderr: '',
    end: '',
  });
  expect(stdout).toContain('event: run-end');
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { blocksOf } from '../docs/blocks.ts';
import { scratchFolder, shell } from '../docs/packed.ts';
import { startPageServer } from '../docs/served-page.ts';

const ADDRESS = 'http://127.0.0.1:4641';
const scratch = scratchFolder();
const program = join(inject('installed'), 'node_modules/.bin/assay');
const blocks = blocksOf('docs/guide/view.md').filter(({ words }) => words.includes('serves'));

beforeAll(async () => {
  const { code, stderr } = await shell(`'${program}' init && '${program}' run`, scratch.path);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

afterAll(() => scratch[Symbol.dispose]());

test('the server of the page starts, and every request of the page is answered', async () => {
  const [first, ...requests] = blocks.map(({ text }) => text);
  expect(first).toBe('npx assay view\n');
  await using server = await startPageServer(program, first ?? '', scratch.path);
  const commands = requests.flatMap((text) => text.trim().split('\n'));
  const answers = [];
  for (const command of commands) {
    expect(command).toContain(ADDRESS);
    const asked = `${command.replace(ADDRESS, server.address)} --fail --silent --show-error`;
    const before = readdirSync(scratch.path).length;
    const { code, stdout, stderr } = await shell(asked, scratch.path);
    const hasDownload = readdirSync(scratch.path).length > before;
    answers.push({ code, stderr, isAnswered: stdout.length > 0 || hasDownload });
  }
  expect(answers.length).toBeGreaterThan(2);
  expect(answers).toEqual(answers.map(() => ({ code: 0, stderr: '', isAnswered: true })));
});

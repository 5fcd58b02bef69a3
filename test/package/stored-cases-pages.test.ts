import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { blocksOf } from '../docs/blocks.ts';
import { root, scratchFolder, shell } from '../docs/packed.ts';

const scratch = scratchFolder();
const installed = join(scratch.path, 'installed');

beforeAll(() => {
  // A copy, to which the package is added that the pages tell to install.
  cpSync(inject('installed'), installed, { recursive: true, verbatimSymlinks: true });
  symlinkSync(join(root, 'node_modules/@ai-sdk'), join(installed, 'node_modules/@ai-sdk'));
});

afterAll(() => scratch[Symbol.dispose]());

/** The examples, with the address of their models in a variable: the port of the page may be in use. */
function copied(name: string): string {
  const folder = join(scratch.path, name);
  const filter = (path: string) => !path.includes('.assay');
  cpSync(join(root, 'examples/test-cases'), folder, { recursive: true, filter });
  for (const file of readdirSync(folder).filter((each) => each.startsWith('assay.config.'))) {
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(join(folder, file), text.replace('http://127.0.0.1:4010', '${{ MODELS_URL }}'));
  }
  return folder;
}

/** Starts the server of a page on any free port, runs the commands that ask it, and ends it. */
function withServer(server: string, commands: string): string {
  return `
${server.replace('npx assay', 'node_modules/.bin/assay').trim()} --port 0 > server.log 2>&1 &
server=$!
trap 'kill "$server"' EXIT
until grep -q http server.log; do sleep 0.1; done
export MODELS_URL=$(grep -o 'http://[^ ]*' server.log)
${commands}`;
}

test.each([
  ['docs/guide/conversations.md', '.'],
  ['examples/test-cases/README.md', 'test-cases'],
])('the models of %s are played from a script, and every command works', async (page, folder) => {
  copied('test-cases');
  const directory = join(scratch.path, folder);
  symlinkSync(join(installed, 'node_modules'), join(directory, 'node_modules'));
  const blocks = blocksOf(page).filter(({ language }) => language === 'sh');
  const [server, commands] = blocks.filter(({ words }) => words.includes('serves'));
  const plain = page.startsWith('examples') ? blocks.filter(({ words }) => words.length === 0) : [];
  const texts = [...plain.map(({ text }) => text), withServer(server?.text ?? '', commands?.text ?? '')];
  const outcomes = [];
  for (const text of texts) {
    const { code, stdout, stderr } = await shell(text, directory);
    outcomes.push({ code, complaint: code === 0 ? '' : stdout + stderr });
  }
  expect(outcomes).toEqual(texts.map(() => ({ code: 0, complaint: '' })));
});

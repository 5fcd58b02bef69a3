import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { afterAll, expect, inject, test } from 'vitest';

import { blocksOf } from '../docs/blocks.ts';
import { scratchFolder, shell } from '../docs/packed.ts';

const ADDRESS = 'http://127.0.0.1:4640';
const scratch = scratchFolder();
const program = join(inject('installed'), 'node_modules/.bin/assay');
const blocks = blocksOf('docs/guide/store.md').filter(({ words }) => words.includes('serves'));

afterAll(() => scratch[Symbol.dispose]());

/** The server of the page, on any free port: the page's own may be in use on the machine of the test. */
async function started(command: string): Promise<AsyncDisposable & { readonly address: string }> {
  const args = [...command.trim().split(' ').slice(2), '--port', '0'];
  const environment = { ...process.env, DATABASE_URL: '', ASSAY_URL: '' };
  const server = spawn(program, args, {
    cwd: scratch.path,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let printed = '';
  let address: string | undefined;
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    address = /http:\/\/[\d.]+:\d+/.exec(printed)?.[0];
    if (address !== undefined) break;
  }
  if (address === undefined) throw new Error(`the server printed no address: ${printed}`);
  const ended = once(server, 'exit');
  return {
    address,
    async [Symbol.asyncDispose]() {
      server.kill('SIGINT');
      await ended;
    },
  };
}

test('every request of the page is answered, and the command line knows the set', async () => {
  const [first, ...requests] = blocks.map(({ text }) => text);
  expect(first).toBe('npx assay serve\n');
  await using server = await started(first ?? '');
  const page = requests.join('');
  expect(page).toContain(ADDRESS);
  const script = [
    'set -e',
    'curl() { command curl --fail --silent --show-error "$@"; }',
    page.replaceAll(ADDRESS, server.address),
    `'${program}' cases list --set smoke`,
  ].join('\n');
  const { code, stdout, stderr } = await shell(script, scratch.path);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/renew a book {2}[\s\S]*ask for the hours {2}/);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { blocksOf } from '../docs/blocks.ts';
import { scratchFolder, shell } from '../docs/packed.ts';

const ADDRESS = 'http://127.0.0.1:4641';
const scratch = scratchFolder();
const program = join(inject('installed'), 'node_modules/.bin/assay');
const blocks = blocksOf('docs/guide/view.md').filter(({ words }) => words.includes('serves'));

beforeAll(async () => {
  const { code, stderr } = await shell(`'${program}' init && '${program}' run`, scratch.path);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

afterAll(() => scratch[Symbol.dispose]());

/** The server of the page, on any free port: the page's own may be in use on the machine of the test. */
async function started(command: string): Promise<AsyncDisposable & { readonly address: string }> {
  const args = [...command.trim().split(' ').slice(2), '--port', '0'];
  const server = spawn(program, args, { cwd: scratch.path, stdio: ['ignore', 'pipe', 'inherit'] });
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

test('the server of the page starts, and every request of the page is answered', async () => {
  const [first, ...requests] = blocks.map(({ text }) => text);
  expect(first).toBe('npx assay view\n');
  await using server = await started(first ?? '');
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

import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { privateHome } from './private-home.ts';

test('a private home has only the folders that programs cannot do without', async () => {
  const home = await privateHome({ adapter: { isolation: { CODEX_HOME: '.codex/home' } } });
  const root = dirname(home.folders.home);
  expect(readdirSync(root, { recursive: true }).toSorted()).toEqual([
    'home',
    'home/.codex',
    'home/.codex/home',
    'tmp',
  ]);
  expect(statSync(home.folders.home).mode & 0o777).toBe(0o700);
  await home[Symbol.asyncDispose]();
  expect(existsSync(root)).toBe(false);
});

test('a private home goes with all that was put into it', async () => {
  const home = await privateHome({ adapter: {}, files: { '.config/agent/settings.json': '{}' } });
  writeFileSync(join(home.folders.temporary, 'left'), 'by the agent');
  const root = dirname(home.folders.home);
  expect(readdirSync(root, { recursive: true }).toSorted()).toEqual([
    'home',
    'home/.config',
    'home/.config/agent',
    'home/.config/agent/settings.json',
    'tmp',
    'tmp/left',
  ]);
  await home[Symbol.asyncDispose]();
  expect(existsSync(root)).toBe(false);
});

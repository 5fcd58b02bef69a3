import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { temporaryFolder } from '../../test/contracts/target.ts';
import { installCommand } from './install-command.ts';

const NAMES = ['openai', 'anthropic', 'google', 'openai-compatible'];

function projectWithAiSdk(version: string): string {
  const directory = temporaryFolder();
  mkdirSync(join(directory, 'node_modules/ai'), { recursive: true });
  writeFileSync(join(directory, 'node_modules/ai/package.json'), JSON.stringify({ name: 'ai', version }));
  return directory;
}

function versionsTested(prefix: string): readonly string[] {
  const { devDependencies } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  return NAMES.map(
    (name) => `@ai-sdk/${name}@${(devDependencies[prefix + name] ?? '').replace(/^npm:.*@/, '')}`,
  );
}

test('packages are installed in the version that belongs to the AI SDK of the project', () => {
  const names = NAMES.map((name) => `@ai-sdk/${name}`);
  const commands = [temporaryFolder(), projectWithAiSdk('7.0.3'), projectWithAiSdk('6.0.4')].map(
    (directory) => installCommand(names, directory),
  );
  const of7 = `npm install ${versionsTested('@ai-sdk/').join(' ')}`;
  expect(commands).toEqual([of7, of7, `npm install ${versionsTested('ai-sdk-6-').join(' ')}`]);
});

test('a package that was not tried has no version', () => {
  expect(installCommand(['@ai-sdk/mistral'], temporaryFolder())).toBe('npm install @ai-sdk/mistral');
});

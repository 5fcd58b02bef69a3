import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

import { folderOfTest } from './test-folders.ts';
import { importPromptfoo } from '../../src/app/import-promptfoo.ts';
import { validateSuites } from '../../src/app/validate-suites.ts';

/** What the import writes and says, and the problems of the new files. Packages of providers are not installed here. */
export async function imported(config: string, files: Readonly<Record<string, string>> = {}) {
  const folder = folderWith({ ...files, 'promptfooconfig.yaml': config });
  const surroundings = surroundingsIn(folder);
  const request = { file: 'promptfooconfig.yaml', folder: undefined, mode: 'keep' } as const;
  const { text, suite, config: written } = await importPromptfoo(request, surroundings);
  const checked = await validateSuites(
    { patterns: [suite], targets: [], cases: [], config: written },
    surroundings,
  );
  const { problems } = JSON.parse(checked.json) as { problems: { code: string; message: string }[] };
  return {
    text,
    config: parse(readFileSync(written, 'utf8')) as unknown,
    suite: parse(readFileSync(suite, 'utf8')) as unknown,
    problems: problems.filter(({ code }) => code !== 'package-missing'),
    lines: [written, suite].map((path) => readFileSync(path, 'utf8').trimEnd().split('\n').length),
  };
}

/** What was not imported or changed, without hints. */
export function noted(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('promptfooconfig.yaml:'))
    .map((line) => line.replace(/ {2}\(.*\)$/, ''));
}

export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = folderOfTest('assay-import-');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

export const surroundingsIn = (cwd: string) => ({
  cwd,
  environment: {},
  now: () => 0,
  commandLine: ['init'],
});

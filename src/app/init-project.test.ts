import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { AssayError } from '../core/errors.ts';
import { initProject } from './init-project.ts';
import type { Surroundings } from './surroundings.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

let folder = '';

beforeEach(() => {
  folder = folderOfTest('assay-init-');
});

function init(into: string, environment: Surroundings['environment'] = {}): Promise<string> {
  return initProject(
    { folder: into, mode: 'keep' },
    { cwd: folder, environment, now: () => 0, commandLine: ['init'] },
  );
}

/** The path to which the comment for editors leads, from the file with the comment. */
function schemaOf(file: string): string {
  const [, place = ''] = /^# yaml-language-server: \$schema=(.+)\n/.exec(readFileSync(file, 'utf8')) ?? [];
  return join(dirname(file), place);
}

test('it says what it wrote and what to type next', async () => {
  expect(await init('evaluation')).toBe(
    [
      'wrote evaluation/assay.config.yaml',
      'wrote evaluation/evals/converter.eval.yaml',
      'wrote evaluation/agent.mjs',
      'wrote evaluation/.assay/.gitignore',
      'wrote evaluation/.assay/eval.schema.json',
      'wrote evaluation/.assay/config.schema.json',
      '',
      'Next: cd evaluation && assay run',
      'Then put your own agent into assay.config.yaml and your own questions into evals/.',
      '',
    ].join('\n'),
  );
});

test('what to type next is right for any name of a folder', async () => {
  expect(await init("new dir/it's")).toContain(String.raw`Next: cd 'new dir/it'\''s' && assay run`);
});

test.each(['/proc/assay', 'file'])('a folder that cannot be created is an error: %s', async (name) => {
  writeFileSync(join(folder, 'file'), '');
  await expect(init(name)).rejects.toMatchObject({
    code: 'folder-unusable',
    message: expect.stringContaining(resolve(folder, name)) as string,
  });
});

test('called through npx, it names npx', async () => {
  expect(await init('.', { npm_command: 'exec' })).toContain('\nNext: npx assay run\n');
});

test('the comments for editors name schemas that it wrote itself', async () => {
  await init('.');
  const schemas = ['assay.config.yaml', 'evals/converter.eval.yaml'].map((name) =>
    schemaOf(join(folder, name)),
  );
  expect(schemas.map((file) => (JSON.parse(readFileSync(file, 'utf8')) as { title: string }).title)).toEqual([
    'assay config',
    'assay eval file',
  ]);
});

test('where the package is installed, the comments name its schemas and none is written', async () => {
  mkdirSync(join(folder, 'node_modules/assay'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/assay/schema.json'), '{}');
  await init('.');
  expect(schemaOf(join(folder, 'evals/converter.eval.yaml'))).toBe(
    join(folder, 'node_modules/assay/schema.json'),
  );
  expect(schemaOf(join(folder, 'assay.config.yaml'))).toBe(
    join(folder, 'node_modules/assay/config.schema.json'),
  );
  expect(existsSync(join(folder, '.assay/eval.schema.json'))).toBe(false);
});

test('files that are there are not touched', async () => {
  writeFileSync(join(folder, 'agent.mjs'), 'mine');
  await expect(init('.')).rejects.toEqual(
    new AssayError('files-there', 'agent.mjs would be overwritten', {
      stage: 'plan',
      hint: 'choose an empty folder, or overwrite with --force',
    }),
  );
  expect(readFileSync(join(folder, 'agent.mjs'), 'utf8')).toBe('mine');
  expect(existsSync(join(folder, 'assay.config.yaml'))).toBe(false);
});

test('another config counts as one that is there', async () => {
  writeFileSync(join(folder, 'assay.config.ts'), 'export default {}');
  await expect(init('.')).rejects.toThrow('assay.config.ts would be overwritten');
});

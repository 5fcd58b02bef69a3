import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { blocksOf, PAGES } from './docs/blocks.ts';
import { emptyProject, install, pack, root, scratchFolder, shell, VERSION } from './docs/packed.ts';

const scratch = scratchFolder();
const project = join(scratch.path, 'project');
const installed = join(project, 'node_modules/assay');

beforeAll(() => install(pack(scratch.path), emptyProject(project)));

afterAll(() => scratch[Symbol.dispose]());

test('the library exports these names and no others', () => {
  const { stdout } = shell(
    `node --input-type=module -e "import * as assay from 'assay'; console.log(Object.keys(assay).join())"`,
    project,
  );
  expect(stdout.trim().split(',')).toEqual(['defineConfig', 'defineGrader']);
});

test('the types export these names and no others', () => {
  const index = readFileSync(join(installed, 'dist/types/index.d.ts'), 'utf8');
  const [, names = ''] = /export \{([^}]*)\}/.exec(index) ?? [];
  expect(
    names
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter((name) => name !== ''),
  ).toEqual(['AssayConfig', 'defineConfig', 'defineGrader', 'GraderInput', 'GraderResult', 'WrittenTarget']);
});

test('every export of the package resolves', () => {
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    exports: Readonly<Record<string, unknown>>;
  };
  const names = Object.keys(exports).map((name) => `assay${name.slice(1)}`);
  expect(names).toEqual([
    'assay',
    'assay/schema.json',
    'assay/config.schema.json',
    'assay/test-case.schema.json',
    'assay/package.json',
  ]);
  const { code, stderr } = shell(
    names.map((name) => `node -e "require.resolve('${name}', { paths: ['.'] })"`).join('\n'),
    project,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('a strict TypeScript project compiles against it, and so does the TypeScript of the guide', () => {
  const examples = PAGES.flatMap(blocksOf).filter(({ language }) => language === 'ts');
  expect(examples).not.toEqual([]);
  for (const [index, { text }] of examples.entries())
    writeFileSync(join(project, `example-${index}.ts`), text);
  writeFileSync(join(project, 'consumer.ts'), CONSUMER);
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  const { stdout, code } = shell(`'${join(root, 'node_modules/.bin/tsc')}' -p .`, project);
  expect({ stdout, code }).toEqual({ stdout: '', code: 0 });
});

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2022',
    types: [],
    noEmit: true,
  },
};

const CONSUMER = `
import { defineConfig, defineGrader, type AssayConfig, type GraderInput, type GraderResult } from 'assay';

const config: AssayConfig = defineConfig({
  targets: { mine: { type: 'cli', command: ['node', 'agent.mjs'] } },
  run: { repeat: 3, limits: { timeoutMs: null } },
});

// @ts-expect-error A number of repetitions is no text.
defineConfig({ run: { repeat: 'three' } });

export default defineGrader(({ answer, trace }: GraderInput): GraderResult => {
  const calls: number = trace.tool_calls;
  return { score: answer === '' ? 0 : 1, reason: \`\${calls} calls\` };
});

// @ts-expect-error A grade needs a score.
defineGrader(() => ({ reason: 'none' }));

export { config };
`;

test('the program starts and tells its version', () => {
  expect(shell('npx assay --version', project).stdout.trim()).toBe(VERSION);
});

test('the package has what people need, and none of our sources or tests', () => {
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(installed.length + 1));
  expect(files.filter((file) => !file.startsWith('dist/')).sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'config.schema.json',
    'package.json',
    'schema.json',
    'test-case.schema.json',
  ]);
  expect(files.filter((file) => /\.(test|fixture)\.|\.stamp|fixtures\//.test(file))).toEqual([]);
  expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([]);
});

test('its source maps name no path of the machine that built it', () => {
  const chunks = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' });
  const foreign = chunks
    .filter((name) => name.endsWith('.map'))
    .flatMap((name) => {
      const map = JSON.parse(readFileSync(join(installed, 'dist', name), 'utf8')) as { sources: string[] };
      return map.sources.filter((source) => !source.startsWith('.'));
    });
  expect(foreign).toEqual([]);
});

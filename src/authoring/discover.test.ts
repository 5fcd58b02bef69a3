import { mkdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { discoverSuites } from './discover.ts';
import { project } from './yaml/project.fixture.ts';

function folder(): string {
  const names = [
    'a.eval.yaml',
    'b.eval.yml',
    'c.suite.ts',
    'c.suite.d.ts',
    'd.suite.mjs',
    'plain.yaml',
    'notes.md',
    'deep/er/e.eval.jsonl',
    'deep/er/e.eval.yaml',
    'deep/f.suite.js',
    'deep/g.suite.mts',
    'node_modules/x.eval.yaml',
    'deep/node_modules/x.eval.yaml',
    'dist/x.eval.yaml',
    '.hidden/x.eval.yaml',
    'odd [1]/h.eval.yaml',
  ];
  return project(Object.fromEntries(names.map((name) => [name, 'x'])));
}

async function found(patterns: readonly string[], at?: string) {
  const root = folder();
  const { files, problems } = await discoverSuites(patterns, at === undefined ? root : join(root, at));
  return { files: files.map((file) => file.slice(root.length + 1)), problems };
}

describe('suites are found', () => {
  test('below the working directory by their names, sorted, without dependencies, builds and dot folders', async () => {
    expect(await found([])).toEqual({
      files: [
        'a.eval.yaml',
        'b.eval.yml',
        'c.suite.ts',
        'd.suite.mjs',
        'deep/er/e.eval.jsonl',
        'deep/f.suite.js',
        'deep/g.suite.mts',
        'odd [1]/h.eval.yaml',
      ],
      problems: [],
    });
  });

  test('by path, by folder and by glob, each once', async () => {
    const patterns = ['plain.yaml', 'odd [1]', 'deep/**/*.{yaml,jsonl}', 'deep/er', './plain.yaml'];
    expect(await found(patterns)).toEqual({
      files: ['deep/er/e.eval.jsonl', 'odd [1]/h.eval.yaml', 'plain.yaml'],
      problems: [],
    });
    expect((await found(['.hidden', 'dist/x.eval.yaml', 'deep/er/e.eval.yaml'])).files).toEqual([
      '.hidden/x.eval.yaml',
      'deep/er/e.eval.jsonl',
      'dist/x.eval.yaml',
    ]);
    expect((await found(['../plain.yaml'], 'deep')).files).toEqual(['plain.yaml']);
  });

  test('also through links to files, but not through links to folders', async () => {
    const root = project({ 'evals/a.eval.yaml': 'x', 'shared/b.eval.yaml': 'x' });
    mkdirSync(join(root, 'evals/folder.eval.yaml'));
    symlinkSync('../shared/b.eval.yaml', join(root, 'evals/b.eval.yaml'));
    symlinkSync('nowhere', join(root, 'evals/dangling.eval.yaml'));
    symlinkSync('../shared', join(root, 'evals/shared'));
    symlinkSync('.', join(root, 'evals/circle'));
    symlinkSync('self.eval.yaml', join(root, 'evals/self.eval.yaml'));
    expect(await discoverSuites(['evals'], root)).toEqual({
      files: ['a', 'b', 'dangling', 'self'].map((name) => join(root, `evals/${name}.eval.yaml`)),
      problems: [],
    });
  });

  test('or the message says that there are no suites', async () => {
    expect(
      await found([
        'gone.yaml',
        'plan.yaml',
        'plain.yaml/x',
        'gone/*.yaml',
        'notes.md',
        '*.md',
        'plain.yaml',
      ]),
    ).toEqual({
      files: ['plain.yaml'],
      problems: [
        { file: 'gone.yaml', code: 'missing-file', message: 'file or folder not found', hint: RELATIVE },
        {
          file: 'plan.yaml',
          code: 'missing-file',
          message: 'file or folder not found',
          hint: 'did you mean plain.yaml?',
        },
        { file: 'plain.yaml/x', code: 'missing-file', message: 'file or folder not found', hint: RELATIVE },
        { file: 'gone/*.yaml', code: 'no-match', message: 'no suite matches this pattern' },
        {
          file: 'notes.md',
          code: 'unknown-format',
          message: 'not a suite: suites are .yaml, .yml, .jsonl, .ts, .mts, .cts, .js, .mjs and .cjs files',
        },
        { file: '*.md', code: 'no-match', message: 'no suite matches this pattern' },
      ],
    });
    const empty = project({ 'plain.yaml': 'x' });
    expect(await discoverSuites([], empty)).toEqual({
      files: [],
      problems: [
        {
          file: '.',
          code: 'no-match',
          message: `no eval files found in ${basename(empty)}/`,
          hint: 'create one with `assay init`; eval files are named *.eval.yaml or *.eval.jsonl, code suites *.suite.ts, .mts, .js or .mjs; run other files by their path',
        },
      ],
    });
  });

  test('or, for a config, that it is no suite', async () => {
    const root = project({ 'assay.config.yaml': 'targets: {}', 'assay.config.ts': 'x' });
    expect(await discoverSuites(['assay.config.yaml', './assay.config.ts'], root)).toEqual({
      files: [],
      problems: ['assay.config.yaml', './assay.config.ts'].map((file) => ({
        file,
        code: 'unknown-format',
        message: 'this is a config, not a suite',
        hint: 'name an eval file; assay finds the config by itself, or by --config',
      })),
    });
  });

  test('or, for suites named .cts and .cjs only, that these are run by their path', async () => {
    const only = project({ 'deep/b.suite.cjs': 'x', 'a.suite.cts': 'x', 'node_modules/c.suite.cjs': 'x' });
    expect(await discoverSuites([], only)).toEqual({
      files: [],
      problems: [
        {
          file: '.',
          code: 'no-match',
          message: `no eval files found in ${basename(only)}/`,
          hint: 'there are a.suite.cts and deep/b.suite.cjs: such files are not searched for; name them, or a glob such as "**/*.suite.{cts,cjs}"',
        },
      ],
    });
    const one = project({ 'deep/b.suite.cjs': 'x' });
    expect((await discoverSuites(['deep'], one)).problems).toMatchObject([
      {
        hint: 'there is deep/b.suite.cjs: such files are not searched for; name it, or a glob such as "deep/**/*.suite.{cts,cjs}"',
      },
    ]);
    const byGlob = await discoverSuites(['**/*.suite.{cts,cjs}', 'deep/b.suite.cjs'], only);
    expect(byGlob).toEqual({
      files: [join(only, 'a.suite.cts'), join(only, 'deep/b.suite.cjs')],
      problems: [],
    });
  });
});

const RELATIVE = 'correct the path; it is relative to the folder where you run assay';

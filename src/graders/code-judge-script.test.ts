import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { given } from '../lib/given.ts';
import { codeJudge } from './code-judge.ts';
import { commandOf, moduleOf, scriptFiles, type ScriptConfig } from './code-judge-script.ts';
import { problemsOf } from './subject.fixture.ts';

const config = (script: string | string[], cwd?: string): ScriptConfig => ({
  script,
  timeout_ms: 1,
  ...given({ cwd }),
});

describe('configuration', () => {
  test('a list, a text and every key load', () => {
    const whole = {
      script: ['node', './judge.mjs'],
      cwd: 'judges',
      timeout_ms: 5,
      env: { A: 'b' },
      config: { maxItems: { deepKey: [1] } },
      result: 'exit_code',
    };
    expect(codeJudge.config.parse(whole)).toEqual(whole);
    expect(codeJudge.config.parse({ script: 'true' })).toEqual({ script: 'true', timeout_ms: 60_000 });
  });

  test('invalid configurations are refused with a reason', () => {
    expect(problemsOf(codeJudge, {})).toEqual([
      'script: must be a shell command, or a list of a program and its arguments',
    ]);
    expect(problemsOf(codeJudge, { script: [] })).toEqual(['script: must start with a program']);
    expect(problemsOf(codeJudge, { script: ' ' })).toEqual(['script: is empty']);
    expect(problemsOf(codeJudge, { script: 'x', config: [1], result: 'score' })).toEqual([
      'config: must be a mapping',
      'result: must be exit_code; leave it out for a script that prints JSON',
    ]);
    expect(problemsOf(codeJudge, { script: 'x', timeout: 5 })).toEqual([': Unrecognized key: "timeout"']);
  });
});

describe('files that are part of the digest', () => {
  test.each([
    ['a relative program', config(['./judge.sh', 'x.py']), ['./judge.sh']],
    ['a program on PATH', config(['judge', './x']), []],
    [
      'the source that an interpreter runs',
      config(['python3.11', '-u', 'judges/a.py', 'b.py']),
      ['judges/a.py'],
    ],
    ['the source below cwd', config(['node', 'a.mjs'], './judges'), ['judges/a.mjs']],
    ['no source in a text', config('python judge.py'), []],
    ['no source in code on the command line', config(['node', '-e', 'require("x.js")']), []],
    ['a module', config(['grader.ts']), ['grader.ts']],
    ['a module as text', config('./grader.mts'), ['./grader.mts']],
  ])('%s', (_, written, files) => {
    expect(scriptFiles(written)).toEqual(files);
  });
});

describe('commands', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-script-test-'));
    await writeFile(join(folder, 'tool.mjs'), '#!/usr/bin/env node\n');
    await writeFile(join(folder, 'grader.mjs'), 'export default () => ({ score: 1 });\n');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('only the program is resolved, and only from . and ..', () => {
    expect(commandOf(config(['./a', './b']), '/x/y')).toEqual(['/x/y/a', './b']);
    expect(commandOf(config(['../a']), '/x/y')).toEqual(['/x/a']);
    expect(commandOf(config(['.']), '/x/y')).toEqual(['/x/y']);
    expect(commandOf(config(['.a']), '/x/y')).toEqual(['.a']);
    expect(commandOf(config('./a b'), '/x/y')).toEqual({ shell: './a b' });
  });

  test('a module has a path, a script with an interpreter line is a program', () => {
    expect(moduleOf(config(['./grader.mjs']), folder)).toBe(join(folder, 'grader.mjs'));
    expect(moduleOf(config('./grader.mjs'), folder)).toBe(join(folder, 'grader.mjs'));
    expect(moduleOf(config(['./tool.mjs']), folder)).toBeUndefined();
    expect(commandOf(config(['./tool.mjs']), folder)).toEqual([join(folder, 'tool.mjs')]);
    expect(commandOf(config('./tool.mjs'), folder)).toEqual({ shell: './tool.mjs' });
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { findCaseFiles } from './find-files.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

test('a path, a folder and a pattern without test cases say what is wrong', async () => {
  const cwd = folderOfTest('cases-');
  writeFileSync(join(cwd, 'a.eval.yaml'), 'tests: []');
  writeFileSync(join(cwd, 'other.json'), '{}');
  const hint = 'test cases are in .json, .yaml, .yml or .jsonl files; eval files and configs contain none';
  const code = 'no-match';
  expect(await findCaseFiles(['othr.json', '.', '*.eval.yaml'], cwd)).toEqual({
    files: [join(cwd, 'other.json')],
    problems: [
      {
        file: 'othr.json',
        code: 'missing-file',
        message: 'file or folder not found',
        hint: 'did you mean other.json?',
      },
      { file: '*.eval.yaml', code, message: 'no file of test cases matches this pattern', hint },
    ],
  });
  const empty = folderOfTest('cases-');
  expect(await findCaseFiles(['.'], empty)).toEqual({
    files: [],
    problems: [{ file: '.', code, message: 'no files of test cases found in this folder', hint }],
  });
});

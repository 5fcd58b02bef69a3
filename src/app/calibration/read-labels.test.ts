import { expect, test } from 'vitest';

import { readLabels } from './read-labels.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

test.each([
  ['gone.jsonl', 'the labels in gone.jsonl cannot be read: file not found'],
  ['.', 'the labels in . cannot be read: it is a folder'],
])('labels in %j are refused with the reason', (file, message) => {
  const cwd = folderOfTest('labels-');
  const hint = 'name a JSONL file with one label per line: {"trial", "expectation", "verdict", "by"}';
  expect(() => readLabels(file, cwd)).toThrow(
    expect.objectContaining({ code: 'labels-unreadable', message, hint }),
  );
});

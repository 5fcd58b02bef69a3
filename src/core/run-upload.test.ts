import { expect, test } from 'vitest';

import { manifestOf } from '../storage/run-directory/fixtures/runs.ts';
import { readUploadLine } from './run-upload.ts';

test('line and tags of an upload are taken without spaces around them, each tag once', () => {
  const manifest = { ...manifestOf({ id: '20260101T000000Z-aaaaaa' }), unknown: 1 };
  const line = { type: 'run', manifest, line: ' main ', tags: [' a', 'b', 'a'] };
  expect(readUploadLine(line, 'line 1')).toEqual({ type: 'run', manifest, line: 'main', tags: ['a', 'b'] });
});

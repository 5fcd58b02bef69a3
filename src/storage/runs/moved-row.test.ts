import { expect, test } from 'vitest';

import { rowOf } from '../run-directory/fixtures/runs.ts';
import { movedRow } from './moved-row.ts';

test('files and a kept workspace of a row are named from the run that holds it now', () => {
  const row = rowOf('a', { artifactDir: 'trials/a/attempt-1', workspacePath: 'workspaces/a-attempt-1' });
  expect(movedRow(row, '/runs/old', '/runs/new')).toEqual({
    ...row,
    artifactDir: '../old/trials/a/attempt-1',
    workspacePath: '../old/workspaces/a-attempt-1',
  });
  expect(movedRow(rowOf('b', { workspacePath: '/kept' }), '/runs/old', '/runs/new')).toEqual(
    rowOf('b', { workspacePath: '../../kept' }),
  );
});

import { relative, resolve, sep } from 'node:path';

import type { Row } from '../../core/run.ts';

/** A row whose file names are changed from one run directory to another. */
export function movedRow(row: Row, from: string, to: string): Row {
  const { artifactDir, workspacePath } = row;
  const moved = (place: string) => relative(to, resolve(from, place)).split(sep).join('/');
  return {
    ...row,
    ...(artifactDir === undefined ? {} : { artifactDir: moved(artifactDir) }),
    ...(workspacePath === undefined ? {} : { workspacePath: moved(workspacePath) }),
  };
}

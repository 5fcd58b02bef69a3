import { relative, resolve, sep } from 'node:path';

import type { Row } from '../../core/run.ts';
import { wholeOutput } from './attachments.ts';
import type { RunPaths } from './paths.ts';

/** A row as another run may hold it: its answer whole, and its files where they are, seen from there. */
export function movedRow(row: Row, from: RunPaths, to: string): Row {
  const { artifactDir, workspacePath } = row;
  const output = wholeOutput(row.output, from.attachments);
  const moved = (place: string) => relative(to, resolve(from.directory, place)).split(sep).join('/');
  return {
    ...row,
    output,
    ...(artifactDir === undefined ? {} : { artifactDir: moved(artifactDir) }),
    ...(workspacePath === undefined ? {} : { workspacePath: moved(workspacePath) }),
  };
}

import { relative, resolve, sep } from 'node:path';

import type { Row } from '../../core/run.ts';
import { wholeOutput } from './attachments.ts';
import type { RunPaths } from './paths.ts';

/** A row as another run may hold it: its answer whole, and its files where they are, seen from there. */
export function movedRow(row: Row, from: RunPaths, to: string): Row {
  const { artifactDir } = row;
  const output = wholeOutput(row.output, from.attachments);
  if (artifactDir === undefined) return output === row.output ? row : { ...row, output };
  const moved = relative(to, resolve(from.directory, artifactDir)).split(sep).join('/');
  return { ...row, output, artifactDir: moved };
}

import { basename, dirname, join, resolve } from 'node:path';

import type { Problem } from '../core/problem.ts';
import { namesIn } from '../lib/files/names-in.ts';
import { nearest } from '../lib/text/suggest.ts';

/** The problem of a path on the command line that does not exist. */
export function missingPath(written: string, cwd: string): Problem {
  const folder = dirname(written);
  const meant = nearest(basename(written), namesIn(resolve(cwd, folder)));
  const hint =
    meant === undefined
      ? 'correct the path; it is relative to the folder where you run assay'
      : `did you mean ${join(folder, meant)}?`;
  return { file: written, code: 'missing-file', message: 'file or folder not found', hint };
}

import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { AssayError } from '../../core/errors.ts';
import { EXPLAIN_FILE } from '../running/code-suites/explain-file.ts';

const MAX_LISTED = 10;

/** The attempt's folder: the directory itself, or the only attempt below it that can be explained. */
export function findExplained(directory: string, cwd: string): string {
  const from = resolve(cwd, directory);
  if (existsSync(join(from, EXPLAIN_FILE))) return from;
  if (!existsSync(from)) {
    throw new AssayError('explain-nothing', `folder not found: ${directory}`, {
      stage: 'plan',
      hint: 'name the folder of an attempt; the report of the run shows its path',
    });
  }
  const found = attemptsBelow(from);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only === undefined) {
    throw new AssayError('explain-nothing', `no ${EXPLAIN_FILE} found in ${directory} or below`, {
      stage: 'plan',
      hint: 'name the folder of an attempt that failed on an assertion such as assert.commands.includes',
    });
  }
  const more = found.length > MAX_LISTED ? `, and ${found.length - MAX_LISTED} more` : '';
  throw new AssayError(
    'explain-ambiguous',
    `${directory} contains ${found.length} attempts that can be explained`,
    {
      stage: 'plan',
      hint: `name one of them: ${found.slice(0, MAX_LISTED).join(', ')}${more}`,
    },
  );
}

function attemptsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name === EXPLAIN_FILE)
    .map(({ parentPath }) => parentPath)
    .filter((path) => !path.includes('/agent-state') && !path.includes('/workspaces/'))
    .toSorted();
}

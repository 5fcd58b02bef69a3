import { dirname, resolve } from 'node:path';

import { findCaseFiles } from '../../../authoring/stored/find-files.ts';
import { storedCaseFiles } from '../../../authoring/stored/recognise.ts';
import type { Problem } from '../../../core/problem.ts';
import { shownPath } from '../../project/project-root.ts';

/** Most files that are read for a hint. */
const MOST_FILES = 200;

/** Adds a hint to problems of paths without evals that contain stored test cases: how to run those. */
export async function hintAtStored(problems: readonly Problem[], cwd: string): Promise<readonly Problem[]> {
  const hinted: Problem[] = [];
  const known = new Set<string>();
  for (const problem of problems) {
    const isFirst = !known.has(problem.file);
    known.add(problem.file);
    const hint = isFirst ? await hintFor(problem, cwd) : undefined;
    hinted.push(hint === undefined ? problem : { ...problem, hint });
  }
  return hinted;
}

async function hintFor({ file, code }: Problem, cwd: string): Promise<string | undefined> {
  if (code === 'no-match') {
    const folder = await commonFolder(file, cwd);
    if (folder === undefined) return undefined;
    return `${folder} contains stored test cases: run them with \`assay run --stored ${folder}\``;
  }
  const stored = await storedCaseFiles([resolve(cwd, file)]);
  if (stored.length === 0) return undefined;
  return `this is a stored test case: run it with \`assay run --stored ${file}\``;
}

/** The folder that contains all stored cases below a folder or of a pattern. */
async function commonFolder(pattern: string, cwd: string): Promise<string | undefined> {
  const { files } = await findCaseFiles([pattern], cwd);
  const folders = (await storedCaseFiles(files.slice(0, MOST_FILES))).map((file) => dirname(file));
  const [first, ...others] = folders;
  if (first === undefined) return undefined;
  return shownPath(others.reduce(bothIn, first), cwd);
}

function bothIn(one: string, other: string): string {
  let folder = one;
  while (other !== folder && !other.startsWith(`${folder}/`) && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  return folder;
}

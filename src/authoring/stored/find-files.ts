import { basename, join, resolve } from 'node:path';

import type { Problem } from '../../core/problem.ts';
import { statusAt } from '../../lib/files/file-status.ts';
import { missingPath } from '../missing-path.ts';

/** The files of test cases for paths and globs. In a folder, files with names of other kinds are skipped. */
export async function findCaseFiles(
  patterns: readonly string[],
  cwd: string,
): Promise<{ readonly files: readonly string[]; readonly problems: readonly Problem[] }> {
  const found = await Promise.all(patterns.map((pattern) => matching(pattern, cwd)));
  const files = new Set(found.flatMap((each) => each.files));
  return { files: [...files].sort(), problems: found.flatMap(({ problems }) => problems) };
}

interface Found {
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
}

async function matching(pattern: string, cwd: string): Promise<Found> {
  const absolute = resolve(cwd, pattern);
  const there = statusAt(absolute);
  if (there?.isFile() === true) return { files: [absolute], problems: [] };
  const { glob, isDynamicPattern } = await import('tinyglobby');
  if (there === undefined && !isDynamicPattern(pattern)) {
    return { files: [], problems: [missingPath(pattern, cwd)] };
  }
  const folder = there === undefined ? cwd : absolute;
  const names = await glob(there === undefined ? pattern : '**/*.{yaml,yml,json,jsonl}', {
    cwd: folder,
    ignore: ['**/node_modules/**', '**/dist/**'],
    followSymbolicLinks: false,
  });
  const files = names.filter((name) => isCaseFile(basename(name))).map((name) => join(folder, name));
  if (files.length > 0) return { files, problems: [] };
  const message =
    there === undefined
      ? 'no file of test cases matches this pattern'
      : 'no files of test cases found in this folder';
  return { files: [], problems: [{ file: pattern, code: 'no-match', message, hint: NAMES }] };
}

function isCaseFile(name: string): boolean {
  return /\.(?:ya?ml|jsonl?)$/i.test(name) && !OTHERS.test(name);
}

/** Files next to test cases that are something else. */
const OTHERS =
  /^(?:assay\.config\.|assay\.calibration\.|package(?:-lock)?\.json$|tsconfig)|\.(?:eval|suite|schema|script)\.[^.]+$/i;

const NAMES = 'test cases are in .json, .yaml, .yml or .jsonl files; eval files and configs contain none';

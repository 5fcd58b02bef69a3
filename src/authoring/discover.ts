import { readdir } from 'node:fs/promises';
import { basename, extname, join, relative, resolve } from 'node:path';

import type { Problem } from '../core/problem.ts';
import { missingPath } from './missing-path.ts';
import { suiteFileOf } from './yaml/sidecar.ts';
import { statusAt } from '../lib/files/file-status.ts';

export interface DiscoveredSuites {
  /** Absolute paths, sorted, without duplicates. */
  readonly files: string[];
  readonly problems: Problem[];
}

/**
 * Finds the suite files for paths, folders and globs; without any, those below `cwd` by their names. A YAML file that
 * only has the keys of a `.jsonl` suite stands for that suite.
 */
export async function discoverSuites(patterns: readonly string[], cwd: string): Promise<DiscoveredSuites> {
  const found = await Promise.all(
    (patterns.length === 0 ? ['.'] : patterns).map((each) => matching(each, cwd)),
  );
  const files = new Set(found.flatMap(({ files: some }) => some).map(suiteFileOf));
  return { files: [...files].sort(), problems: found.flatMap(({ problems }) => problems) };
}

async function matching(pattern: string, cwd: string): Promise<DiscoveredSuites> {
  const absolute = resolve(cwd, pattern);
  const there = statusAt(absolute);
  if (there?.isDirectory() === true) return await below(absolute, pattern);
  if (there !== undefined) {
    if (CONFIG_NAME.test(basename(absolute))) return { files: [], problems: [configAsSuite(pattern)] };
    if (SUITE_EXTENSIONS.has(extname(absolute).toLowerCase())) return { files: [absolute], problems: [] };
    const message = 'not a suite: suites are .yaml, .yml, .jsonl, .ts, .mts, .cts, .js, .mjs and .cjs files';
    return { files: [], problems: [{ file: pattern, code: 'unknown-format', message }] };
  }
  const { glob, isDynamicPattern } = await import('tinyglobby');
  if (!isDynamicPattern(pattern)) {
    return { files: [], problems: [missingPath(pattern, cwd)] };
  }
  const matches = await glob(pattern, { cwd, absolute: true, ignore: ['**/node_modules/**'] });
  const files = matches.filter((file) => SUITE_EXTENSIONS.has(extname(file).toLowerCase()));
  if (files.length > 0) return { files, problems: [] };
  return {
    files: [],
    problems: [{ file: pattern, code: 'no-match', message: 'no suite matches this pattern' }],
  };
}

function configAsSuite(file: string): Problem {
  return {
    file,
    code: 'unknown-format',
    message: 'this is a config, not a suite',
    hint: 'name an eval file; assay finds the config by itself, or by --config',
  };
}

async function below(folder: string, shown: string): Promise<DiscoveredSuites> {
  const files = await filesIn(folder, SUITE_NAME);
  if (files.length > 0) return { files, problems: [] };
  const unsought = await filesIn(folder, UNSOUGHT_NAME);
  const name = shown === '.' ? `${basename(folder)}/` : shown;
  return {
    files: [],
    problems: [
      {
        file: shown,
        code: 'no-match',
        message: `no eval files found in ${name}`,
        hint:
          unsought.length > 0
            ? hintAt(unsought.map((file) => relative(folder, file)).toSorted(), shown)
            : NAMES,
      },
    ],
  };
}

const NAMES =
  'create one with `assay init`; eval files are named *.eval.yaml or *.eval.jsonl, code suites *.suite.ts, .mts, .js or .mjs; run other files by their path';

function hintAt(names: readonly string[], folder: string): string {
  const [first = '', ...others] = names.map((name) => join(folder, name));
  const more = others.length > 1 ? `${others.length} more` : others[0];
  const there = more === undefined ? `there is ${first}` : `there are ${first} and ${more}`;
  const them = more === undefined ? 'it' : 'them';
  return `${there}: such files are not searched for; name ${them}, or a glob such as "${join(folder, '**/*.suite.{cts,cjs}')}"`;
}

/** Links to files are followed; links to folders are not, because they can form cycles. */
async function filesIn(folder: string, named: RegExp): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = entries
    .filter(({ name }) => !name.startsWith('.'))
    .map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return IGNORED.has(entry.name) ? [] : await filesIn(path, named);
      if (!named.test(entry.name)) return [];
      if (entry.isSymbolicLink()) {
        const target = statusAt(path);
        return target?.isDirectory() === true ? [] : [path];
      }
      return entry.isFile() ? [path] : [];
    });
  return (await Promise.all(found)).flat();
}

const SUITE_NAME = /\.(?:eval\.(?:ya?ml|jsonl)|suite\.m?[jt]s)$/;
const CONFIG_NAME = /^assay\.config\.[^.]+$/;
/** Suites that are run only by their path. */
const UNSOUGHT_NAME = /\.suite\.c[jt]s$/;
const IGNORED: ReadonlySet<string> = new Set(['node_modules', 'dist']);
const SUITE_EXTENSIONS: ReadonlySet<string> = new Set([
  '.yaml',
  '.yml',
  '.jsonl',
  '.ts',
  '.mts',
  '.cts',
  '.js',
  '.mjs',
  '.cjs',
]);

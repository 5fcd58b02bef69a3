import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { isTest, parseSource, readSourceTree } from './architecture/source-tree.ts';
import type { SourceFile } from './architecture/source-tree.ts';

const families =
  'engine authoring targets graders users world workspaces sandboxes models assertions storage analysis'.split(
    ' ',
  );

const doors = ['worker', 'index.ts'];

/** What a part of `src` may import, besides itself. The table of docs/architecture.md. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  core: ['lib'],
  ...Object.fromEntries(families.map((family) => [family, ['core', 'lib']])),
  reading: ['core', 'lib'],
  sinks: ['reading', 'core', 'lib'],
  app: [...families, 'sinks', 'reading', 'api', 'core', 'lib'],
  ...Object.fromEntries(doors.map((door) => [door, ['app', 'reading', 'core', 'lib']])),
  api: ['reading', 'core', 'lib'],
  server: ['app', 'api', 'reading', 'core', 'lib'],
  cli: ['app', 'server', 'worker', 'reading', 'core', 'lib'],
  'bin.ts': ['cli'],
};

/** In a browser too. */
const runsAnywhere = ['core', 'reading'];

const databases = ['pg', 'pg-boss', '@electric-sql/pglite'];

const root = join(import.meta.dirname, '..');
const everyFile = readSourceTree(root, 'src');
const files = everyFile.filter(({ path }) => !isTest(path));
const byPath = new Map(files.map((file) => [file.path, file]));

describe('arrows', () => {
  test('the table names every folder and file at the top of src', () => {
    expect(readdirSync(join(root, 'src')).filter((name) => !(name in arrows))).toEqual([]);
  });

  test('a file imports only what the table allows', () => {
    expect(
      imports((file, target) => {
        const from = partOf(file.path);
        const to = partOf(target);
        return from === to || arrows[from]?.includes(to) === true;
      }),
    ).toEqual([]);
  });

  test('core and reading need no Node, nor does anything that they import', () => {
    const mine = files.filter(({ path }) => runsAnywhere.includes(partOf(path)));
    expect(mine.map(({ path }) => path).filter((path) => !isNodeFree(path))).toEqual([]);
  });

  test('two files outside of storage say how runs are kept and where the database is', () => {
    const kinds = /^src\/storage\/(run-directory|database|memory)\//;
    const knowing = files.filter(
      ({ path, files: targets }) =>
        partOf(path) !== 'storage' &&
        !path.endsWith('.fixture.ts') &&
        targets.some((target) => kinds.test(target)),
    );
    expect(knowing.map(({ path }) => path)).toEqual(['src/app/database.ts', 'src/app/runs.ts']);
  });

  test('no file reaches itself through its imports', () => {
    expect(cycles()).toEqual([]);
  });

  test('the dashboard sees only core, reading, the client of the API and what of lib needs no Node', () => {
    const web = readdirSync(root).includes('web') ? readSourceTree(root, 'web') : [];
    const found = web.flatMap((file) => file.files.map((target) => ({ file, target })));
    const isWords = (target: string) => target.startsWith('src/lib/') && isNodeFree(target);
    const wrong = found.filter(
      ({ target }) => !/^(web|src\/(core|reading|api))\//.test(target) && !isWords(target),
    );
    expect(wrong.map(({ file, target }) => `${file.path} imports ${target}`)).toEqual([]);
  });
});

describe('the folders of app', () => {
  /** What every folder stands on. */
  const ground = 'config exit-code project registry surroundings version'.split(' ');
  const arrowsInApp: Readonly<Record<string, readonly string[]>> = {
    binding: ground,
    running: [...ground, 'binding'],
    planning: [...ground, 'binding', 'running', 'runs', 'compare', 'gates'],
    project: ['registry', 'surroundings'],
    resume: [...ground, 'binding', 'running'],
    judging: [...ground, 'binding', 'running', 'planning'],
    gates: [...ground, 'binding', 'running', 'runs', 'compare', 'calibration'],
    present: [...ground, 'binding', 'running'],
    // The end of a run names the server that does not show it yet.
    conduct: [...ground, 'binding', 'running', 'compare', 'calibration', 'gates', 'present', 'server-file'],
    regrade: [...ground, 'binding', 'planning'],
    explain: [...ground, 'binding', 'running', 'runs', 'show'],
    working: [...ground, 'binding', 'running', 'planning'],
    ...Object.fromEntries(['access', 'merge', 'proof', 'upload'].map((name) => [name, ground])),
    view: [...ground, 'calibration'],
    // Use cases on stored runs, and what they are made of.
    ...Object.fromEntries(
      ['list-runs', 'show-run', 'self-check-run', 'compare-runs', 'show', 'compare', 'calibration'].map(
        (name) => [name, [...ground, 'runs', 'show', 'compare', 'calibration']],
      ),
    ),
  };
  /** What a folder may import of the files beside the folders. Others are use cases, which are made of folders. */
  const beside = [...ground, 'runs', 'store-door', 'store-place', 'server-client', 'server-file', 'database'];

  test('binding knows nothing of running, running nothing of planning, and readers of stored runs none of them', () => {
    expect(
      imports((file, target) => {
        const [from, to] = [folderOf(file.path), folderOf(target)];
        const allowed = from === undefined ? undefined : arrowsInApp[from];
        return allowed === undefined || to === undefined || from === to || allowed.includes(to);
      }),
    ).toEqual([]);
  });

  test('a folder of app imports no use case', () => {
    const isInFolder = (path: string) => path.split('/').length > 3;
    expect(
      imports((file, target) => {
        const [from, to] = [folderOf(file.path), folderOf(target)];
        if (from === undefined || to === undefined || !isInFolder(file.path)) return true;
        return isInFolder(target) || beside.includes(to);
      }),
    ).toEqual([]);
  });
});

describe('packages', () => {
  test('core and reading import zod and nothing else', () => {
    expect(
      packages((file, name) => !runsAnywhere.includes(partOf(file.path)) || nameOf(name) === 'zod'),
    ).toEqual([]);
  });

  test('only storage knows a database', () => {
    expect(
      packages((file, name) => partOf(file.path) === 'storage' || !databases.includes(nameOf(name))),
    ).toEqual([]);
  });

  // The probes of a sandbox are a program of their own, which tries what an agent would try.
  test('only lib/process starts processes', () => {
    const allowed = /^src\/lib\/process(\/|[^/]*\.ts$)|^src\/sandboxes\/probe-host\.ts$/;
    expect(
      packages((file, name) => allowed.test(file.path) || !/^(node:)?child_process$/.test(name)),
    ).toEqual([]);
  });
});

test('a grader whose code starts programs or opens files says when it does', () => {
  const isOutside = (path: string): boolean =>
    path.startsWith('src/lib/process/') ||
    byPath.get(path)?.packages.some((name) => name.startsWith('node:fs')) === true;
  const silent = files.filter(
    ({ path, code }) =>
      /^src\/graders\/[^/]+$/.test(path) &&
      /: GraderPlugin<[^[]*= \{/.test(code) &&
      !/^ {2}(?:touches|files): /m.test(code) &&
      [...reachedFrom(path)].some(isOutside),
  );
  expect(silent.map(({ path }) => path)).toEqual([]);
});

describe('the world outside', () => {
  test('only app/config reads the environment', () => {
    expect(mentions(/\bprocess\s*\.\s*env\b/, /^src\/app\/config(\/|[^/]*\.ts$)/)).toEqual([]);
  });

  // The starter files are texts of programs for the user, which print.
  test('only the command line and the terminal sink print', () => {
    expect(
      mentions(
        /\bconsole\s*\.\s*\w|\bprocess\s*\.\s*std(out|err)\b/,
        /^src\/(cli|sinks\/terminal|app\/project\/starter-files)[/.]/,
      ),
    ).toEqual([]);
  });
});

describe('names and sizes', () => {
  const nameOfFile = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

  test('a file is named by its idea, in kebab-case', () => {
    const empty = /^(types|utils?|helpers?|constants|common|misc)(\.test|\.fixture)?\.tsx?$/;
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.fixture)?\.tsx?$/;
    const names = everyFile.map(({ path }) => path);
    expect(names.filter((path) => empty.test(nameOfFile(path)) || !kebab.test(nameOfFile(path)))).toEqual([]);
  });

  test('only a family and the library have an index', () => {
    const deep = files.filter(({ path }) => nameOfFile(path) === 'index.ts' && path.split('/').length > 3);
    expect(deep.map(({ path }) => path)).toEqual([]);
  });
});

test('imports are found however they are written', () => {
  const text = `
    import * as z from 'zod'; // import no from 'a-comment'
    import {
      one,
      type Two,
    } from './one.ts';
    import type { Three } from '../lib/three.ts';
    import 'node:fs'; import pg from 'pg';
    export { four } from './four.ts'; export const from = 'nowhere';
    /* import no from 'a-block' */
    type Five = import('./five.ts').Five;
    const six = await import('six/part');
    const text = "import no from 'a-string'";
  `;
  expect(parseSource('src/core/x.ts', text)).toMatchObject({
    files: ['src/core/one.ts', 'src/lib/three.ts', 'src/core/four.ts', 'src/core/five.ts'],
    packages: ['zod', 'node:fs', 'pg', 'six/part'],
  });
});

function partOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Of a file of app: its folder there, or its name without an ending. */
function folderOf(path: string): string | undefined {
  const [, part, folder] = path.split('/');
  return part === 'app' ? folder?.replace(/\.ts$/, '') : undefined;
}

function nameOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function imports(allows: (file: SourceFile, target: string) => boolean): string[] {
  return files.flatMap((file) =>
    file.files.filter((target) => !allows(file, target)).map((target) => `${file.path} imports ${target}`),
  );
}

function packages(allows: (file: SourceFile, name: string) => boolean): string[] {
  return files.flatMap((file) =>
    file.packages.filter((name) => !allows(file, name)).map((name) => `${file.path} imports ${name}`),
  );
}

function mentions(pattern: RegExp, allowedIn: RegExp): string[] {
  return files.flatMap(({ path, code }) => {
    const found = allowedIn.test(path) ? null : pattern.exec(code);
    return found === null ? [] : [`${path} has ${found[0]}`];
  });
}

function isNodeFree(path: string, seen: ReadonlySet<string> = new Set()): boolean {
  const file = byPath.get(path);
  if (file === undefined || seen.has(path)) return true;
  const usesNode = file.packages.some((name) => name.startsWith('node:'));
  return !usesNode && file.files.every((next) => isNodeFree(next, new Set([...seen, path])));
}

/** A file and everything that it imports. */
function reachedFrom(path: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  byPath.get(path)?.files.forEach((next) => reachedFrom(next, seen));
  return seen;
}

/** Each circle once, as `a -> b -> a`. */
function cycles(): string[] {
  const found: string[] = [];
  const finished = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(' -> '));
    if (start >= 0 || finished.has(path)) return;
    for (const next of byPath.get(path)?.files ?? []) visit(next, [...trail, path]);
    finished.add(path);
  };
  for (const { path } of files) visit(path, []);
  return found;
}

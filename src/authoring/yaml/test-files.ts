import { extname, join } from 'node:path';

import { isObject } from '../../lib/json.ts';
import { cutTexts } from './cut-texts.ts';
import { fault, under, type Fault, type Path } from './fault.ts';
import { pathHint } from './file-lookup.ts';
import type { CaseOrigin } from './packed-cases.ts';
import { readCsv, type TableReading } from './read-csv.ts';
import { readJsonLines } from './read-jsonl.ts';
import { readYaml } from './read-yaml.ts';
import type { LoadScope } from './scope.ts';
import { isSource, readSource, type Fragment, type RawTest, type SourceFile } from './source.ts';

export interface TestBatch {
  readonly tests: readonly RawTest[];
  readonly origin: CaseOrigin;
}

/** How the files of one suite are read. */
export interface Reading extends LoadScope {
  /** Files that cannot be parsed in parts. */
  readonly wholeFiles: ReadonlySet<string>;
  /** What the suite says about its tables. */
  readonly table: TableReading;
}

/** A path in a file. */
export interface Reference {
  readonly written: string;
  readonly fragment: Fragment;
  readonly path: Path;
  readonly directory: string;
}

/** The tests of the files that a path or `file://GLOB` names. */
export async function* testsOfReference(reference: Reference, reading: Reading): AsyncGenerator<TestBatch> {
  const { fragment, path } = reference;
  const found = await filesOf(reference, reading);
  if (!Array.isArray(found)) {
    reading.report.add(fragment, under(path, found as Fault));
    return;
  }
  for (const file of found) yield* testsOfFile(file, reference, reading);
}

export function originOf(file: SourceFile): CaseOrigin {
  return { directory: file.directory, file: file.shown };
}

async function filesOf(
  { written, directory }: Reference,
  { files, context }: Reading,
): Promise<readonly string[] | Fault> {
  const absolute = files.resolve(written, directory);
  if (files.kindOf(absolute) === 'file') return [absolute];
  if (!written.startsWith('file://')) {
    const isFolder = files.kindOf(absolute) === 'folder';
    return isFolder
      ? fault('missing-file', `${written} is a folder`, {
          hint: `name a file in it, or write file://${written}/*.yaml`,
        })
      : fault('missing-file', `file not found: ${written}`, pathHint(written));
  }
  const pattern = written.slice('file://'.length);
  const isFromRoot = pattern.startsWith('/');
  const cwd = isFromRoot ? context.projectRoot : directory;
  const { glob, isDynamicPattern } = await import('tinyglobby');
  const matches = isDynamicPattern(pattern)
    ? await glob(isFromRoot ? pattern.slice(1) : pattern, { cwd })
    : [];
  if (matches.length === 0) return fault('no-match', `no file matches ${written}`, pathHint(written));
  return matches.map((match) => join(cwd, match)).sort();
}

async function* testsOfFile(path: string, from: Reference, reading: Reading): AsyncGenerator<TestBatch> {
  const { report, context } = reading;
  const shown = context.display(path);
  const extension = extname(path).toLowerCase();
  if (!['.yaml', '.yml', '.jsonl', '.csv'].includes(extension)) {
    const message = `unsupported file type ${shown}: tests can be in .yaml, .yml, .jsonl and .csv files`;
    report.add(from.fragment, under(from.path, fault('unknown-format', message)));
    return;
  }
  const file = await readSource(path, shown);
  if (!isSource(file)) return report.addTo(shown, file);
  const origin = originOf(file);
  const tell = (found: Fault, place: Parameters<typeof report.addTo>[2]): void =>
    report.addTo(shown, found, place);
  if (extension === '.csv') yield { tests: await readCsv(file, reading.table, tell), origin };
  else if (extension === '.jsonl') for (const tests of readJsonLines(file, tell)) yield { tests, origin };
  else for (const tests of yamlTests(file, reading)) yield { tests, origin };
}

function* yamlTests(
  file: SourceFile,
  { report, wholeFiles, context }: Reading,
): Generator<readonly RawTest[]> {
  for (const warning of cutTexts(file)) context.onWarning?.(warning);
  const read = readYaml(file, wholeFiles.has(file.path) ? 'whole' : 'parts');
  if ('code' in read) return report.addTo(file.shown, read);
  if ('failure' in read) return report.addSyntax(read.fragment, read.failure);
  const { head, headFragment: fragment, batches } = read;
  for (const key of isObject(head) ? Object.keys(head) : []) {
    if (key === 'tests' || key === '$schema' || key.startsWith('x-')) continue;
    const message = `\`${key}\` is not allowed here: a test file can only contain \`tests\``;
    report.add(
      fragment,
      fault('unknown-key', message, { path: [key], at: 'key', hint: 'move it to the suite file' }),
    );
  }
  if (batches === undefined) {
    report.add(fragment, fault('wrong-type', 'expected a list of tests, or a mapping with `tests`'));
    return;
  }
  for (const tests of batches()) {
    for (const { value, fragment: place, path } of tests) {
      if (typeof value !== 'string') continue;
      report.add(
        place,
        fault('wrong-type', 'a test file cannot refer to other files', {
          path,
          hint: 'write the tests in this file, or refer to the other file from the suite',
        }),
      );
    }
    yield tests.filter(({ value }) => typeof value !== 'string');
  }
}

import { extname } from 'node:path';

import { isObject } from '../../lib/json.ts';
import { cutTexts } from './cut-texts.ts';
import { fault, type Fault } from './fault.ts';
import type { TableReading } from './read-csv.ts';
import { readJsonLines } from './read-jsonl.ts';
import { readYaml, type YamlFile } from './read-yaml.ts';
import { sidecarsOf } from './sidecar.ts';
import { isSource, readSource, type Fragment, type RawTest, type SourceFile } from './source.ts';
import { originOf, testsOfReference, type Reading, type TestBatch } from './test-files.ts';

/** The unchecked keys of a suite, and access to its tests. */
export interface OpenSuite {
  /** The keys without `tests`. */
  readonly head: Readonly<Record<string, unknown>>;
  readonly headFragment: Fragment;
  /** Absent when their absence was reported. */
  readonly tests?: (table: TableReading) => AsyncIterable<TestBatch>;
}

/** Opens a suite and reports mistakes of its structure. */
export async function openSuite(path: string, reading: Reading): Promise<OpenSuite | undefined> {
  const { report, context } = reading;
  const shown = context.display(path);
  const extension = extname(path).toLowerCase();
  if (!['.yaml', '.yml', '.jsonl'].includes(extension)) {
    const hint = extension === '.csv' ? { hint: 'use it as `tests` of a .yaml suite' } : {};
    report.addTo(
      shown,
      fault('unknown-format', 'unsupported file type; a suite is a .yaml, .yml or .jsonl file', hint),
    );
    return undefined;
  }
  const file = await readSource(path, shown);
  if (!isSource(file)) return void report.addTo(shown, file);
  if (extension === '.jsonl') return await openLines(file, reading);
  const read = openYaml(file, reading);
  return read && suiteOf(file, read, reading);
}

function isOfPromptfoo(head: object): boolean {
  return ['providers', 'targets'].some((key) => Object.hasOwn(head, key)) && Object.hasOwn(head, 'prompts');
}

function promptfooConfig(shown: string): Fault {
  const hint = `convert it with \`assay init --from ${shown}\``;
  return fault('unknown-format', 'this is a config of promptfoo, not an eval', {
    path: ['prompts'],
    at: 'key',
    hint,
  });
}

function openYaml(file: SourceFile, { report, wholeFiles, context }: Reading): YamlFile | undefined {
  for (const warning of cutTexts(file)) context.onWarning?.(warning);
  const read = readYaml(file, wholeFiles.has(file.path) ? 'whole' : 'parts');
  if ('code' in read) return void report.addTo(file.shown, read);
  if ('failure' in read) return void report.addSyntax(read.fragment, read.failure);
  return read;
}

function suiteOf(file: SourceFile, read: YamlFile, reading: Reading): OpenSuite | undefined {
  const { head, headFragment, batches } = read;
  if (!isObject(head)) {
    const got = head === undefined ? 'a list' : 'something else';
    const hint = head === undefined ? { hint: 'put the list under `tests:`' } : {};
    return void reading.report.add(
      headFragment,
      fault('wrong-type', `expected a suite: a mapping with \`tests\`, got ${got}`, hint),
    );
  }
  if (isOfPromptfoo(head)) return void reading.report.add(headFragment, promptfooConfig(file.shown));
  const { tests, ...keys } = head;
  if (batches !== undefined) {
    return {
      head: keys,
      headFragment,
      tests: (table) => ownTests(file, batches(), { ...reading, table }),
    };
  }
  if (typeof tests === 'string') {
    const reference = { written: tests, fragment: headFragment, path: ['tests'], directory: file.directory };
    return {
      head: keys,
      headFragment,
      tests: (table) => testsOfReference(reference, { ...reading, table }),
    };
  }
  const isMissing = !Object.hasOwn(head, 'tests');
  reading.report.add(
    headFragment,
    isMissing
      ? fault('missing-key', '`tests` is missing')
      : fault('wrong-type', 'tests: expected a list of tests, or the path of a test file', {
          path: ['tests'],
          ...(isObject(tests)
            ? { hint: 'start each test with a dash: - { id: greets, input: Say hello. }' }
            : {}),
        }),
  );
  return { head: keys, headFragment };
}

async function openLines(file: SourceFile, reading: Reading): Promise<OpenSuite | undefined> {
  const { report, context } = reading;
  const [sidecar, another] = sidecarsOf(file.path);
  if (another !== undefined) {
    report.addTo(
      context.display(another),
      fault('conflict', 'this .jsonl suite has two settings files, one .yaml and one .yml'),
    );
  }
  const tests = async function* (): AsyncGenerator<TestBatch> {
    const origin = originOf(file);
    const lines = readJsonLines(file, (found, place) => report.addTo(file.shown, found, place));
    for (const batch of lines) yield { tests: batch, origin };
  };
  const nothing: Fragment = { shown: file.shown, line: 1, syntax: 'lines', text: () => '' };
  if (sidecar === undefined) return { head: {}, headFragment: nothing, tests };
  const source = await readSource(sidecar, context.display(sidecar));
  if (!isSource(source)) {
    if (source.code !== 'empty-file') report.addTo(context.display(sidecar), source);
    return { head: {}, headFragment: nothing, tests };
  }
  const read = openYaml(source, reading);
  if (read === undefined) return { head: {}, headFragment: nothing, tests };
  return sidecarOf(file, { source, read, tests }, reading);
}

interface Lines {
  readonly source: SourceFile;
  readonly read: YamlFile;
  readonly tests: () => AsyncIterable<TestBatch>;
}

function sidecarOf(file: SourceFile, lines: Lines, { report, files }: Reading): OpenSuite {
  const { source, read, tests } = lines;
  const { head, headFragment } = read;
  const { tests: named, ...keys } = isObject(head) ? head : {};
  const isItself = typeof named === 'string' && files.resolve(named, source.directory) === file.path;
  if (!isObject(head)) {
    report.add(headFragment, fault('wrong-type', 'expected a mapping with suite keys, such as `tests`'));
  } else if (read.batches !== undefined || (named !== undefined && !isItself)) {
    const message = `\`tests\` is not allowed here: the tests are the lines of ${file.shown}`;
    const hint = 'remove `tests` from this file';
    report.add(headFragment, fault('conflict', message, { path: ['tests'], at: 'key', hint }));
  }
  return { head: keys, headFragment, tests };
}

async function* ownTests(
  file: SourceFile,
  batches: Iterable<readonly RawTest[]>,
  reading: Reading,
): AsyncGenerator<TestBatch> {
  const origin = originOf(file);
  for (const tests of batches) {
    if (!tests.some(({ value }) => typeof value === 'string')) yield { tests, origin };
    else for (const test of tests) yield* testOrFile(file, test, { ...reading, origin });
  }
}

async function* testOrFile(
  file: SourceFile,
  test: RawTest,
  reading: Reading & Pick<TestBatch, 'origin'>,
): AsyncGenerator<TestBatch> {
  const { value, fragment, path } = test;
  if (typeof value !== 'string') return yield { tests: [test], origin: reading.origin };
  if (/^file:\/\/./.test(value)) {
    return yield* testsOfReference({ written: value, fragment, path, directory: file.directory }, reading);
  }
  const message = 'a text in `tests` must be `file://` followed by a path or glob';
  reading.report.add(fragment, fault('wrong-type', message, { path }));
}

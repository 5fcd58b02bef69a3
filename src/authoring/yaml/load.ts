import { basename, dirname, relative } from 'node:path';

import { formatProblem, type Problem } from '../../core/problem.ts';
import type { Suite } from '../../core/test-case.ts';
import { schemaFaultsOf } from './tool-schemas.ts';
import { createEntryChecker } from './expectations.ts';
import { createFileLookup } from './file-lookup.ts';
import { suiteList, typesOf } from './grader-types.ts';
import { endsWithUser, loadCases } from './load-cases.ts';
import { numberFaults } from './number-faults.ts';
import { openSuite } from './open-suite.ts';
import { CutError } from './read-yaml.ts';
import { columnFaults, columnsOf } from './column-checks.ts';
import { derivedFaults } from './derived-metrics.ts';
import { createReport } from './report.ts';
import type { LoadScope, YamlContext } from './scope.ts';
import { checkSuiteKeys } from './salvage.ts';
import { suiteFileOf } from './sidecar.ts';
import { suiteDefaults } from './suite-defaults.ts';
import type { Reading } from './test-files.ts';
import { given } from '../../lib/given.ts';

export type { YamlContext } from './scope.ts';

export interface LoadedSuites {
  /** Empty when there is any problem. */
  readonly suites: readonly Suite[];
  /** Present when there are problems: the valid cases of suites whose own keys are valid. */
  readonly sound?: readonly Suite[];
  readonly problems: readonly Problem[];
}

/** Loads YAML and JSONL suites. Returns either all of them, or all problems of any of them. */
export async function loadYamlSuites(files: readonly string[], context: YamlContext): Promise<LoadedSuites> {
  const suites: Suite[] = [];
  const sound: Suite[] = [];
  const problems = new Map<string, Problem>();
  const lookup = createFileLookup(context.projectRoot);
  const { targets } = context;
  const checkEntry = createEntryChecker({ ...context, targets, files: lookup }, new Map());
  for (const file of new Set(files.map(suiteFileOf))) {
    const loaded = await loadOne(file, new Set(), { context, files: lookup, checkEntry });
    for (const problem of loaded.problems) problems.set(formatProblem(problem), problem);
    if (loaded.suite !== undefined) suites.push(loaded.suite);
    if (loaded.sound !== undefined) sound.push(loaded.sound);
  }
  if (problems.size === 0) return { suites, problems: [] };
  return { suites: [], sound, problems: [...problems.values()] };
}

interface LoadedSuite {
  readonly suite?: Suite | undefined;
  readonly sound?: Suite | undefined;
  readonly problems: readonly Problem[];
}

async function loadOne(
  path: string,
  wholeFiles: ReadonlySet<string>,
  project: Omit<LoadScope, 'report'>,
): Promise<LoadedSuite> {
  const report = createReport();
  try {
    const read = await readSuite(path, {
      ...project,
      report,
      wholeFiles,
      table: { assertColumns: [], asksItself: false, readsInput: false },
    });
    return { ...read, problems: await report.problems() };
  } catch (error) {
    if (!(error instanceof CutError) || wholeFiles.has(error.path)) throw error;
    return await loadOne(path, new Set([...wholeFiles, error.path]), project);
  }
}

async function readSuite(path: string, reading: Reading): Promise<Omit<LoadedSuite, 'problems'> | undefined> {
  const opened = await openSuite(path, reading);
  if (opened === undefined) return undefined;
  const { head, headFragment: fragment } = opened;
  const { keys, faults, isIncomplete } = checkSuiteKeys(head);
  for (const found of [...faults, ...columnFaults(keys), ...numberFaults(head, { fragment, path: [] })])
    reading.report.add(fragment, found);
  for (const found of await schemaFaultsOf(keys.tools, reading.context)) reading.report.add(fragment, found);
  const place = { fragment, directory: dirname(path) };
  await reading.context.graders.load(typesOf(suiteList(keys)));
  const defaults = suiteDefaults(keys, place, reading);
  if (opened.tests === undefined) return undefined;
  const isSound = reading.report.count === 0;
  const columns = columnsOf(head['assert_column']);
  const batches = opened.tests({
    assertColumns: columns,
    asksItself: endsWithUser(head['input']),
    readsInput: /\{\{\s*vars\.input\b/.test(JSON.stringify(head['input'] ?? '')),
  });
  const cases = await loadCases(batches, { defaults, fragment, isIncomplete, columns }, reading);
  const { name, description, derived_metrics: derivedMetrics } = defaults.keys;
  if (!isIncomplete)
    for (const found of derivedFaults(derivedMetrics, cases.metrics)) reading.report.add(fragment, found);
  const suite = {
    id: relative(reading.context.projectRoot, path).replaceAll('\\', '/'),
    name: name ?? basename(path).replace(/(?:\.eval)?\.(?:ya?ml|jsonl)$/, ''),
    ...given({ description, derivedMetrics }),
    file: path,
    cases: cases.list,
  };
  return { suite, ...(isSound ? { sound: { ...suite, cases: cases.sound() } } : {}) };
}

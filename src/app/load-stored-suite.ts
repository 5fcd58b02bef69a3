import { dirname } from 'node:path';

import type { LoadedConfig } from '../authoring/config/load-config.ts';
import { loadCaseFiles } from '../authoring/stored/load.ts';
import { testCaseOf } from '../authoring/stored/map.ts';
import { runExpectations, type RunExpectations } from '../authoring/stored/run-expectations.ts';
import type { LoadedSuites, YamlContext } from '../authoring/yaml/load.ts';
import type { Problem } from '../core/problem.ts';

/** Id of the suite that stored cases are in, wherever they come from. */
export const STORED_SUITE = 'stored';

export interface StoredSuite {
  /** Absolute. */
  readonly files: readonly string[];
  readonly known: YamlContext;
  /** Absent when something is wrong with it. */
  readonly loaded: LoadedConfig | undefined;
  readonly expectations: RunExpectations['entries'];
}

/** The stored test cases of files as a suite, with what the run expects of each. */
export async function loadStoredSuite(asked: StoredSuite): Promise<LoadedSuites> {
  const { files, known, loaded } = asked;
  const read = await loadCaseFiles({ files, display: known.display, names: 'unique' });
  if (loaded === undefined) return { suites: [], problems: read.problems };
  const { expectations, problems: wrong } = runExpectations({
    ...known,
    targets: known.targets ?? new Set(),
    entries: asked.expectations,
    origin: loaded.origin,
    directory: loaded.directory,
  });
  const problems = [
    ...read.problems,
    ...wrong,
    ...(asked.expectations.length === 0 ? [nothingToGrade(loaded)] : []),
  ];
  const [first] = files;
  if (problems.length > 0 || first === undefined) return { suites: [], problems };
  const cases = read.cases.map((each) => testCaseOf(each, expectations));
  const list = { length: cases.length, at: (index: number) => cases[index] ?? outOf(index) };
  return {
    suites: [{ id: STORED_SUITE, name: STORED_SUITE, file: dirname(first), cases: list }],
    problems: [],
  };
}

function nothingToGrade({ origin }: LoadedConfig): Problem {
  return {
    file: origin.file,
    code: 'nothing-to-grade',
    message: 'nothing would be graded: the config has no `run.expectations`',
    hint: 'list evaluators under run.expectations; the judge of conversations comes with a later release',
  };
}

function outOf(index: number): never {
  throw new RangeError(`there is no case ${index}`);
}

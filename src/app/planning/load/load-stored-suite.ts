import { dirname } from 'node:path';

import type { LoadedConfig } from '../../../authoring/config/load-config.ts';
import { measuredPart, storedCaseDigest } from '../../../authoring/stored/digest.ts';
import { loadCaseFiles } from '../../../authoring/stored/load.ts';
import { type AskedCases, hasStatus, selectCases, unknownCases } from '../../../authoring/stored/selector.ts';
import { testCaseOf } from '../../../authoring/stored/map.ts';
import { runExpectations, type RunExpectations } from '../../../authoring/stored/run-expectations.ts';
import type { LoadedSuites, YamlContext } from '../../../authoring/yaml/load.ts';
import type { PlannedFault } from '../../../core/test-case.ts';
import { given } from '../../../lib/given.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { chooseGrading } from './choose-grading.ts';

/** Id of the suite that contains all stored cases. */
export const STORED_SUITE = 'stored';

export interface StoredSuite {
  /** Absolute paths. */
  readonly files: readonly string[];
  readonly known: YamlContext;
  /** Absent if the config has problems. */
  readonly loaded: LoadedConfig | undefined;
  readonly expectations: RunExpectations['entries'];
  /** They come from a request. */
  readonly isRequest?: true;
  readonly faults: readonly PlannedFault[];
  readonly select: AskedCases;
}

export interface StoredContents {
  /** The measured content of each case, by digest. */
  readonly contents?: ReadonlyMap<string, JsonObject>;
}

/** The stored test cases of files as a suite, with the expectations of the run. */
export async function loadStoredSuite(asked: StoredSuite): Promise<LoadedSuites & StoredContents> {
  const { files, known, loaded } = asked;
  const read = await loadCaseFiles({ files, display: known.display, names: 'unique' });
  if (loaded === undefined) return { suites: [], problems: read.problems };
  const { expectations, problems: wrong } = await runExpectations({
    ...known,
    targets: known.targets ?? new Set(),
    entries: asked.expectations,
    ...given({ isRequest: asked.isRequest }),
    origin: loaded.origin,
    directory: loaded.directory,
  });
  const { grading, problems: refused } = chooseGrading(loaded);
  const selected = selectCases(read.cases, asked.select);
  const cases = selected.cases.map((each) => {
    const { skip, ...made } = testCaseOf(each, { ...grading, expectations }, asked.faults);
    return skip === undefined || hasStatus(each, asked.select) ? made : { ...made, skip };
  });
  const unknown = read.problems.length > 0 ? [] : unknownCases(selected, known.display(known.projectRoot));
  const problems = [...read.problems, ...unknown, ...wrong, ...refused];
  const [first] = files;
  if (problems.length > 0 || first === undefined) return { suites: [], problems };
  const list = { length: cases.length, at: (index: number) => cases[index] ?? outOf(index) };
  return {
    contents: new Map(read.cases.map(({ case: stored }) => [storedCaseDigest(stored), measuredPart(stored)])),
    suites: [{ id: STORED_SUITE, name: STORED_SUITE, file: dirname(first), cases: list }],
    problems: [],
  };
}

function outOf(index: number): never {
  throw new RangeError(`unknown case ${index}`);
}

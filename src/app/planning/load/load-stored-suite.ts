import type { LoadedConfig } from '../../../authoring/config/load-config.ts';
import { type AskedCases, hasStatus } from '../../../authoring/stored/selector.ts';
import { testCaseOf, type TakenCase } from '../../../authoring/stored/map.ts';
import { runExpectations, type RunExpectations } from '../../../authoring/stored/run-expectations.ts';
import type { LoadedSuites, YamlContext } from '../../../authoring/yaml/load.ts';
import type { CaseFields } from '../../../core/case-store.ts';
import type { Problem } from '../../../core/problem.ts';
import { STORED_SUITE, type PartlyKnown, type PlannedFault, type TestCase } from '../../../core/test-case.ts';
import { given } from '../../../lib/given.ts';
import type { CaseSource, ReadCases } from './case-source.ts';
import { chooseGrading } from './choose-grading.ts';

export interface StoredSuite {
  readonly source: CaseSource;
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
  /** The cases as they are stored, by digest. */
  readonly contents?: ReadonlyMap<string, CaseFields>;
}

/** Stored test cases as a suite, with the expectations of the run. */
export async function loadStoredSuite(asked: StoredSuite): Promise<LoadedSuites & StoredContents> {
  const { source, known, loaded } = asked;
  const read = await source.read(asked.select);
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
  const graded = { ...grading, expectations };
  const madeOf = (each: TakenCase): TestCase => {
    const made = testCaseOf(each, graded, asked.faults);
    if (made.skip === undefined || !hasStatus(each, asked.select)) return made;
    const { skip: _, ...taken } = made;
    return taken;
  };
  const cases = read.cases.map((each) => each && madeOf(each));
  const problems = [...read.problems, ...wrong, ...refused];
  const isEmpty = read.problems.length === 0 && cases.length === 0 && source.tellsEmpty === true;
  if (problems.length > 0) return { suites: [], problems: [...problems, ...(isEmpty ? [EMPTY] : [])] };
  const contents = new Map<string, CaseFields>();
  for (const [index, each] of read.cases.entries()) {
    const digest = cases[index]?.digest;
    if (each !== undefined && digest !== undefined) contents.set(digest, each.case);
  }
  const list = { length: cases.length, at: (index: number) => cases[index] ?? outOf(index) };
  const partly = read.more && partlyKnown(cases, read.more, madeOf);
  return {
    contents,
    suites: [
      {
        id: STORED_SUITE,
        name: STORED_SUITE,
        file: source.folder,
        cases: { ...list, ...given({ partly }) },
      },
    ],
    problems: [],
  };
}

/** Adds cases to the list when they are read. */
function partlyKnown(
  cases: (TestCase | undefined)[],
  more: NonNullable<ReadCases['more']>,
  madeOf: (taken: TakenCase) => TestCase,
): PartlyKnown {
  return {
    has: (index) => cases[index] !== undefined,
    async read(places) {
      for (const [index, taken] of await more(places)) cases[index] = madeOf(taken);
    },
  };
}

const EMPTY: Problem = {
  file: 'the store',
  path: ['select'],
  code: 'empty-selection',
  message: 'no test case is selected',
};

function outOf(index: number): never {
  throw new RangeError(`unknown case ${index}`);
}

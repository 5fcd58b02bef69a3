import type { Row } from '../../core/run.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Suite, TestCase } from '../../core/test-case.ts';
import type { CaseDigests } from '../../core/run-spec.ts';
import type { DigestList } from '../planning/digests.ts';
import { given } from '../../lib/given.ts';
import { suitesOf } from '../planning/suite-digests.ts';

interface TakenCase {
  readonly row: Pick<Row, 'suite' | 'caseId'>;
  readonly targets: Set<string>;
  repeat: number;
}

/** The part of a stored run that is graded again. */
export interface TakenCases {
  readonly trials: number;
  readonly cases: readonly TakenCase[];
}

export async function takenCases(
  rows: AsyncIterable<Row>,
  takes: (row: Row) => boolean,
): Promise<TakenCases> {
  const cases = new Map<string, TakenCase>();
  let trials = 0;
  for await (const row of rows) {
    if (!takes(row)) continue;
    trials += 1;
    const { suite, caseId, target, repetition } = row;
    const key = JSON.stringify([suite, caseId]);
    const known = cases.get(key) ?? { row: { suite, caseId }, targets: new Set(), repeat: 0 };
    known.targets.add(target);
    known.repeat = Math.max(known.repeat, repetition);
    cases.set(key, known);
  }
  return { trials, cases: [...cases.values()] };
}

/** A current case, and the position of its suite. */
export interface FoundCase {
  readonly testCase: TestCase;
  readonly suite: number;
  readonly index: number;
}

/** Finds the case of a stored trial in its suite, or in the only named suite. */
export function caseFinder(
  suites: readonly Suite[],
): (row: Pick<Row, 'suite' | 'caseId'>) => FoundCase | undefined {
  const indices = suites.map((suite) => {
    const byId = new Map<string, number>();
    for (let index = 0; index < suite.cases.length; index++) byId.set(suite.cases.at(index).id, index);
    return byId;
  });
  return (row) => {
    const named = suites.findIndex((suite) => suite.id === row.suite);
    const position = named < 0 && suites.length === 1 ? 0 : named;
    const index = indices[position]?.get(row.caseId);
    const testCase = index === undefined ? undefined : suites[position]?.cases.at(index);
    return testCase === undefined || index === undefined ? undefined : { testCase, suite: position, index };
  };
}

export interface GradedSuites {
  readonly taken: TakenCases;
  readonly caseOf: ReturnType<typeof caseFinder>;
  readonly before: Manifest;
  readonly suites: readonly Suite[];
  readonly digestsOf: (testCase: TestCase) => CaseDigests;
  readonly digests: DigestList;
}

/** The suites of the graded rows, with the names of the source and the digests of the current graders. */
export function gradedSuites(input: GradedSuites): Manifest['suites'] {
  const { taken, caseOf, before, suites, digestsOf, digests } = input;
  const ids = [...new Set(taken.cases.map(({ row }) => row.suite))].sort();
  const found = taken.cases
    .flatMap(({ row, targets, repeat }) => {
      const now = caseOf(row);
      return now === undefined ? [] : [{ row, targets: [...targets].sort(), repeat, now }];
    })
    .sort((a, b) => a.now.suite - b.now.suite || a.now.index - b.now.index);
  const used = ids.map((id) => {
    const now = found.find(({ row }) => row.suite === id)?.now;
    const source = now === undefined ? undefined : suites[now.suite];
    const earlier = before.suites.find((suite) => suite.id === id);
    const { derivedMetrics } = source ?? earlier ?? {};
    return {
      id,
      name: source?.name ?? earlier?.name ?? id,
      file: source?.file ?? earlier?.file ?? id,
      ...given({ derivedMetrics }),
    };
  });
  const cases = found.map(({ row, targets, repeat, now }) => ({
    suite: ids.indexOf(row.suite),
    id: row.caseId,
    digests: digestsOf(now.testCase),
    targets,
    repeat,
  }));
  return suitesOf({ suites: used, cases }, digests);
}

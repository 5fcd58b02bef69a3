import type { Row } from '../../core/run.ts';
import type { OpenRun } from '../../core/run-store.ts';
import type { TestCase } from '../../core/test-case.ts';
import type { CaseDigests } from '../../core/run-spec.ts';
import type { DigestList } from '../planning/digests.ts';
import { frozenCopies } from '../planning/frozen-copies.ts';
import { takenCases } from './graded-suites.ts';
import type { Project } from '../binding/machine.ts';
import { given } from '../../lib/given.ts';

/** The current project, with functions that find and digest the cases of stored trials. */
export interface GradedProject extends Pick<Project, 'contents' | 'graders' | 'worldsByTool'> {
  readonly digests: DigestList;
  takes(row: Row): boolean;
  find(row: Pick<Row, 'suite' | 'caseId'>): { readonly testCase: TestCase } | undefined;
  digestsOf(testCase: TestCase): CaseDigests;
}

/** Stores copies of the current graders of stored cases. Questions and answers are copied from the source. */
export async function freezeGraded(
  rows: AsyncIterable<Row>,
  project: GradedProject,
  run: Pick<OpenRun, 'keepFrozen'>,
): Promise<void> {
  if (project.contents.size === 0) return;
  const taken = await takenCases(rows, project.takes);
  const cases = taken.cases.flatMap(({ row, targets }) => {
    const testCase = project.find(row)?.testCase;
    if (testCase === undefined) return [];
    const { graders, gradersUnder, terms } = project.digestsOf(testCase);
    const digests = {
      graders,
      ...given({ gradersUnder, terms }),
    };
    return [{ testCase, digests, targets }];
  });
  await run.keepFrozen(frozenCopies(cases, { ...project, digests: project.digests.list }));
}

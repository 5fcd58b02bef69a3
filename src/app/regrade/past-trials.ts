import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import { AssayError } from '../../core/errors.ts';
import type { FileChange } from '../../core/file-change.ts';
import type { GradedWorkspace } from '../../core/grade.ts';
import type { Row, RowDigests } from '../../core/run.ts';
import type { PastSession } from '../../core/target.ts';
import type { WorldOutcome } from '../../core/tools.ts';
import type { TestCase } from '../../core/test-case.ts';
import type { Transcript } from '../../core/transcript.ts';
import { trialKey } from '../../core/trial.ts';
import { firstLine } from '../../core/user.ts';
import type { Workspace } from '../../core/workspace.ts';
import type { PlannedTrial } from '../../engine/parts.ts';
import { stands } from '../../engine/past-session.ts';
import { gradersUnder, type CaseDigests } from '../../engine/plan.ts';
import { given } from '../../lib/given.ts';
import { readable } from '../../core/readable.ts';
import type { Soon, StoredTrial } from '../../core/run-store.ts';
import { keptChangesFile, readKeptChanges } from '../../workspaces/kept-changes.ts';
import { readRedactedPaths, redactedPathsFile } from '../../workspaces/redacted-paths.ts';
import { WORLD_FILE } from '../../world/open-world.ts';
import { renumberedDigests } from '../planning/renumbered-digests.ts';

/** A stored trial as the engine grades it again. */
export interface PastTrial {
  readonly trial: PlannedTrial;
  readonly testCase: TestCase;
  readonly past: PastSession;
  /** Absent: the trial had none, or it was not kept. */
  readonly workspace?: Workspace & GradedWorkspace;
}

/** What a stored trial is told by in the run that is made. */
export interface PastReading {
  caseOf(row: Row): TestCase | undefined;
  digestsOf(testCase: TestCase): CaseDigests;
  /** The number that a digest of the source has in this run. */
  carried(digest: number): number;
  /** The row with its answer whole, and its files where they are. */
  moved(row: Row): Soon<Row>;
  /** Where something lies that a row which was moved names. */
  placeOf(name: string): string;
}

export async function pastTrial(
  { row: stored, transcript }: StoredTrial,
  reading: PastReading,
): Promise<PastTrial> {
  const row = await carriedRow(stored, reading);
  const testCase = stands(row) ? undefined : reading.caseOf(row);
  if (testCase === undefined) {
    const past = { row, transcript, ...(stands(row) ? {} : { ungradable: caseMissing(row) }) };
    const trial = { ...identityOf(row), digests: row.digests, graders: [] };
    return { trial, testCase: unknownCase(row), past };
  }
  const now = reading.digestsOf(testCase);
  const asked = isAskedNow(testCase, transcript) ? now : { ...now, case: row.digests.case };
  const trial = {
    ...identityOf(row),
    digests: regradedDigests(row.digests, asked),
    graders: gradersUnder(now, row.target),
  };
  const isEdited = testCase.module === undefined && row.digests.case !== now.case;
  const { world, workspace, ungradable } = leftBy(row, reading);
  const note = isEdited ? EDITED : undefined;
  const past = { row, transcript, ...given({ world, note, ungradable }) };
  return { trial, testCase, past, ...given({ workspace }) };
}

function identityOf(row: Row): Omit<PlannedTrial, 'digests' | 'graders'> {
  const { number, suite, caseId, target, repetition, attempts } = row;
  return {
    number,
    suite,
    caseId,
    target,
    repetition,
    key: trialKey(row),
    index: number - 1,
    place: { suite: 0, index: 0 },
    earlier: attempts.slice(0, -1),
  };
}

/** Stands for a case that nothing is asked of. */
function unknownCase({ caseId, tags }: Row): TestCase {
  return { id: caseId, directory: '', tags, input: [], expectations: [] };
}

/** What of a trial lies in files; what cannot be read makes it one that cannot be graded. */
function leftBy(
  row: Row,
  { placeOf }: PastReading,
): Pick<PastTrial, 'workspace'> & Pick<PastSession, 'world' | 'ungradable'> {
  const { workspacePath } = row;
  try {
    return {
      ...storedWorld(row, placeOf),
      ...(workspacePath === undefined ? {} : { workspace: storedWorkspace(placeOf(workspacePath)) }),
    };
  } catch (error) {
    if (error instanceof AssayError) return { ungradable: error };
    throw error;
  }
}

const EDITED =
  'the case was edited after it was run: what was said answers the case as it was, and is graded by the case as it is';

/**
 * Whether what was asked is what the case asks now. What grades a stored case has digests of its own, so that it stays
 * the case that it was; the digest of any other one covers what its graders read of it.
 */
function isAskedNow(testCase: TestCase, transcript: Transcript): boolean {
  if (testCase.digest !== undefined) return false;
  const line = firstLine(testCase);
  const said = transcript.find((entry) => entry.type === 'message' && entry.role === 'user');
  return line === undefined || (said?.type === 'message' && isDeepStrictEqual(said.parts, line.parts));
}

/** What was said and answered stays what it was. */
function regradedDigests({ target, mocks, userPrompt }: RowDigests, now: CaseDigests): RowDigests {
  return {
    case: now.case,
    target,
    ...given({ terms: now.terms, mocks, userPrompt }),
  };
}

/** A row with the numbers that the digests of its source have in this run. */
async function carriedRow(stored: Row, { carried, moved }: PastReading): Promise<Row> {
  const row = await moved(stored);
  const grades = row.grades.map((grade) =>
    grade.digest === undefined ? grade : { ...grade, digest: carried(grade.digest) },
  );
  return {
    ...row,
    grades,
    digests: renumberedDigests(row.digests, carried),
  };
}

function storedWorkspace(directory: string): NonNullable<PastTrial['workspace']> {
  const redacted = readable(redactedPathsFile(directory), () => readRedactedPaths(directory));
  return {
    directory,
    ...(redacted.length === 0 ? {} : { redacted }),
    changes: async () => storedChanges(directory, redacted),
    seal: () => Promise.resolve(),
    release: () => Promise.resolve({ warnings: [] }),
  };
}

/** What the tools of the trial left, as its last attempt wrote it. */
function storedWorld({ artifactDir }: Row, placeOf: PastReading['placeOf']): Pick<PastSession, 'world'> {
  if (artifactDir === undefined) return {};
  const file = placeOf(`${artifactDir}/${WORLD_FILE}`);
  if (!existsSync(file)) return {};
  return { world: readable(file, () => JSON.parse(readFileSync(file, 'utf8')) as WorldOutcome) };
}

function storedChanges(directory: string, redacted: readonly string[]): readonly FileChange[] {
  if (redacted.length > 0) {
    throw new Error(
      'the kept workspace is not as the agent left it, because secrets were taken out of it; run the case again to grade it',
    );
  }
  const changes = readable(keptChangesFile(directory), () => readKeptChanges(directory));
  if (changes !== undefined) return changes;
  throw new Error(
    'the changes of this workspace are not stored: they are with `keep: always`, unless a secret stands in them; run the case again to grade them',
  );
}

function caseMissing({ caseId }: Row): AssayError {
  return new AssayError('case-missing', `the case "${caseId}" is in none of the suites that were read`, {
    stage: 'grading',
    hint: 'name the file that holds it with --suite',
  });
}

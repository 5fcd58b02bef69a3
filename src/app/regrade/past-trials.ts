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
import type { PlannedTrial } from '../../engine/trial-context.ts';
import { stands } from '../../engine/past-session.ts';
import type { CaseDigests } from '../../core/run-spec.ts';
import { gradersUnder } from '../../engine/plan.ts';
import { given } from '../../lib/given.ts';
import { readable } from '../../core/readable.ts';
import type { OpenArtifact, Soon, StoredRun, StoredTrial } from '../../core/run-store.ts';
import { keptChangesFile, readKeptChanges } from '../../workspaces/kept-changes.ts';
import { readRedactedPaths, redactedPathsFile } from '../../workspaces/redacted-paths.ts';
import { WORLD_FILE } from '../../world/open-world.ts';
import { renumberedRow } from '../../core/renumbered-digests.ts';

/** A stored trial in the form that the engine grades. */
export interface PastTrial {
  readonly trial: PlannedTrial;
  readonly testCase: TestCase;
  readonly past: PastSession;
  /** Absent if the trial had no workspace or it was not kept. */
  readonly workspace?: Workspace & GradedWorkspace;
}

/** How to read a stored trial for the new run. */
export interface PastReading {
  caseOf(row: Row): TestCase | undefined;
  digestsOf(testCase: TestCase): CaseDigests;
  /** The number in the new run of a digest of the source. */
  carried(digest: number): number;
  /** The row with its complete answer and with the paths of its files in the source. */
  moved(row: Row): Soon<Row>;
  /** The absolute path of a file that a moved row names. */
  placeOf(name: string): string;
  /** Opens a file that an attempt of the source left. */
  artifact: StoredRun['artifact'];
}

export async function pastTrial(
  { row: stored, transcript }: StoredTrial,
  reading: PastReading,
): Promise<PastTrial> {
  const row = renumberedRow(await reading.moved(stored), reading.carried);
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
  const { world, workspace, ungradable } = await leftBy(row, reading);
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

/** A placeholder for a case that is not graded. */
function unknownCase({ caseId, tags }: Row): TestCase {
  return { id: caseId, directory: '', tags, input: [], expectations: [] };
}

/** The part of a trial that is stored in files. If it cannot be read, the trial cannot be graded. */
async function leftBy(
  row: Row,
  reading: PastReading,
): Promise<Pick<PastTrial, 'workspace'> & Pick<PastSession, 'world' | 'ungradable'>> {
  const { workspacePath } = row;
  const { placeOf } = reading;
  try {
    return {
      ...(await storedWorld(row, reading)),
      ...(workspacePath === undefined ? {} : { workspace: storedWorkspace(placeOf(workspacePath)) }),
    };
  } catch (error) {
    if (error instanceof AssayError) return { ungradable: error };
    throw error;
  }
}

const EDITED =
  'the case was edited after the run: the stored answer belongs to the old case, but is graded by the new one';

/**
 * Whether the case still asks the same. The graders of a stored case have their own digests, so a change of
 * them leaves the case the same. The digest of any other case also covers what its graders read.
 */
function isAskedNow(testCase: TestCase, transcript: Transcript): boolean {
  if (testCase.digest !== undefined) return false;
  const line = firstLine(testCase);
  const said = transcript.find((entry) => entry.type === 'message' && entry.role === 'user');
  return line === undefined || (said?.type === 'message' && isDeepStrictEqual(said.parts, line.parts));
}

/** The digests of the transcript stay, those of the graders are replaced. */
function regradedDigests({ target, mocks, userPrompt }: RowDigests, now: CaseDigests): RowDigests {
  return {
    case: now.case,
    target,
    ...given({ terms: now.terms, mocks, userPrompt }),
  };
}

function storedWorkspace(directory: string): NonNullable<PastTrial['workspace']> {
  const redacted = readable(redactedPathsFile(directory), () => readRedactedPaths(directory));
  return {
    directory,
    ...(redacted.length === 0 ? {} : { redacted }),
    changes: async () => storedChanges(directory, redacted),
    endProcesses: () => Promise.resolve(),
    capture: () => Promise.resolve(),
    release: () => Promise.resolve({ warnings: [] }),
  };
}

/** The final state of the trial's tools, as written by its last attempt. */
async function storedWorld(
  row: Row,
  { placeOf, artifact }: PastReading,
): Promise<Pick<PastSession, 'world'>> {
  const { artifactDir, attempts } = row;
  if (artifactDir === undefined) return {};
  const file = placeOf(`${artifactDir}/${WORLD_FILE}`);
  const text = existsSync(file)
    ? readable(file, () => readFileSync(file, 'utf8'))
    : await textOf(await artifact(row, { attempt: attempts.length, name: WORLD_FILE }));
  return text === undefined ? {} : { world: readable(file, () => JSON.parse(text) as WorldOutcome) };
}

/** A database keeps what another machine wrote. */
async function textOf(kept: OpenArtifact | undefined): Promise<string | undefined> {
  if (kept === undefined) return undefined;
  const parts: Uint8Array[] = [];
  for await (const part of kept.content()) parts.push(part);
  return Buffer.concat(parts).toString();
}

function storedChanges(directory: string, redacted: readonly string[]): readonly FileChange[] {
  if (redacted.length > 0) {
    throw new Error(
      'the kept workspace differs from what the agent left, because secrets were removed; run the case again to grade it',
    );
  }
  const changes = readable(keptChangesFile(directory), () => readKeptChanges(directory));
  if (changes !== undefined) return changes;
  throw new Error(
    'the changes of this workspace are not stored; use `keep: always` and run the case again (changes with secrets are never stored)',
  );
}

function caseMissing({ caseId }: Row): AssayError {
  return new AssayError('case-missing', `no loaded suite contains the case "${caseId}"`, {
    stage: 'grading',
    hint: 'name its file with --suite',
  });
}

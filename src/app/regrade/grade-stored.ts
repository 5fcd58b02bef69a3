import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { AssayError, BudgetSpent, errorRecord } from '../../core/errors.ts';
import type { FileChange } from '../../core/file-change.ts';
import type { GradedWorkspace, Grader, Subject } from '../../core/grade.ts';
import type { Fact, Row, RowDigests } from '../../core/run.ts';
import type { WorldOutcome } from '../../core/tools.ts';
import type { Expectation, TestCase } from '../../core/test-case.ts';
import { finalAnswer, type Transcript } from '../../core/transcript.ts';
import { firstLine } from '../../core/user.ts';
import { decide, statusOf } from '../../core/verdict.ts';
import type { EventStream } from '../../engine/event-stream.ts';
import { gradeTrial } from '../../engine/grade-trial.ts';
import { judgeSpending, judgeUsage } from '../../engine/judge-spending.ts';
import type { ConcludedAttempt, EndedAttempt } from '../../engine/parts.ts';
import { gradersUnder, type CaseDigests } from '../../engine/plan.ts';
import { readable } from '../../storage/run-directory/readable.ts';
import type { StoredTrial } from '../../core/run-store.ts';
import { keptChangesFile, readKeptChanges } from '../../workspaces/kept-changes.ts';
import { readRedactedPaths, redactedPathsFile } from '../../workspaces/redacted-paths.ts';
import { WORLD_FILE } from '../../world/open-world.ts';
import { renumberedDigests } from '../plan/renumbered-digests.ts';
import type { Surroundings } from '../run-options.ts';

/** What grading a stored trial needs. */
export interface StoredGrading {
  takes(row: Row): boolean;
  caseOf(row: Row): TestCase | undefined;
  digestsOf(testCase: TestCase): CaseDigests;
  /** The number that a digest of the source has in this run. */
  carried(digest: number): number;
  graderFor(expectation: Expectation, testCase: TestCase): Grader;
  /** Has the last word on a decision. */
  conclude(ended: EndedAttempt): ConcludedAttempt;
  /** The row with its answer whole, and its files where they are. */
  moved(row: Row): Row;
  thresholdOf(testCase: TestCase): number;
  /** Whether that target of the source told of every tool call. */
  tellsToolCalls(target: string): boolean;
  readonly sourceRunId: string;
  /** Of the run that is made; what `moved` names starts there. */
  readonly directory: string;
  keyOf(row: Row): string;
}

export interface StoredGradingWork extends StoredGrading {
  readonly stream: EventStream;
  readonly surroundings: Surroundings;
  readonly signal: AbortSignal;
}

/** Grades one stored trial and writes its row; what was never measured stays as it was. */
export async function gradeStored(stored: StoredTrial, work: StoredGradingWork): Promise<void> {
  const { row, transcript } = stored;
  const trial = work.keyOf(row);
  const attempt = Math.max(1, row.attempts.length);
  const now = () => new Date(work.surroundings.now()).toISOString();
  const tell = (fact: Fact) => work.stream.emit({ at: now(), trial, attempt, fact });
  work.stream.emit({ at: now(), trial, fact: { type: 'trial-start' } });
  tell({ type: 'attempt-start' });
  for (const entry of transcript) tell({ type: 'transcript-entry', entry });
  const graded = await gradedRow(stored, work);
  if (work.signal.aborted) return;
  for (const fact of judgeUsage(graded.grades)) tell(fact);
  for (const grade of graded.grades) tell({ type: 'grade', grade });
  tell({ type: 'attempt-end', ...(graded.attempts.at(-1) ?? { durationMs: 0 }) });
  await work.stream.settle({ at: now(), trial, attempt, fact: { type: 'trial-end', row: graded } });
}

async function gradedRow({ row: stored, transcript }: StoredTrial, work: StoredGradingWork): Promise<Row> {
  const row = carriedRow(stored, work);
  if (row.verdict === 'skipped' || row.verdict === 'cancelled') return row;
  if (row.verdict === 'errored' && row.error?.stage !== 'grading') return row;
  try {
    return await regradedRow({ row, transcript }, work);
  } catch (error) {
    if (!(error instanceof AssayError) || error instanceof BudgetSpent) throw error;
    return ungradable(row, error);
  }
}

async function regradedRow({ row, transcript }: StoredTrial, work: StoredGradingWork): Promise<Row> {
  const testCase = work.caseOf(row);
  if (testCase === undefined) throw caseMissing(row);
  const digests = work.digestsOf(testCase);
  const subject = subjectOf({ row, transcript }, testCase, work);
  const grades = await gradeTrial(subject, {
    graderFor: work.graderFor,
    digests: gradersUnder(digests, row.target),
    signal: work.signal,
  });
  const threshold = work.thresholdOf(testCase);
  const { decision, failureClass } = work.conclude({
    trial: row,
    attempt: row.attempts.length,
    testCase,
    subject,
    grades,
    decision: decide(grades, threshold, testCase.scoredIn),
    artifacts: { directory: () => row.artifactDir ?? '', write: () => Promise.resolve() },
    isLast: true,
    durationMs: row.durationMs,
  });
  const { error: _error, ungraded: _ungraded, failureClass: _class, overall: _overall, ...kept } = row;
  return {
    ...kept,
    verdict: decision.verdict,
    ...statusOf(decision.verdict, testCase.expectedFail ?? false),
    score: decision.score,
    ...(decision.overall === undefined ? {} : { overall: decision.overall }),
    threshold,
    fallenGates: decision.fallenGates,
    ...(decision.ungraded === 0 ? {} : { ungraded: decision.ungraded }),
    ...(decision.error === undefined ? {} : { error: decision.error }),
    ...(failureClass === undefined ? {} : { failureClass }),
    grades,
    ...regradedSpending(row, grades),
    ...regradedNotes(row, testCase, digests),
    digests: regradedDigests(
      row.digests,
      isAskedNow(testCase, transcript) ? digests : { ...digests, case: row.digests.case },
    ),
  };
}

/** The digest of a case of code has its assertions in it, which are what is graded anew. */
function regradedNotes(
  { notes = [], digests }: Row,
  { module }: TestCase,
  now: CaseDigests,
): Pick<Row, 'notes'> {
  const isEdited = module === undefined && digests.case !== now.case && !notes.includes(EDITED);
  return isEdited ? { notes: [...notes, EDITED] } : {};
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
    ...(now.terms === undefined ? {} : { terms: now.terms }),
    ...(mocks === undefined ? {} : { mocks }),
    ...(userPrompt === undefined ? {} : { userPrompt }),
  };
}

/** A row with the numbers that the digests of its source have in this run. */
function carriedRow(stored: Row, { carried, moved }: StoredGrading): Row {
  const row = moved(stored);
  const grades = row.grades.map((grade) =>
    grade.digest === undefined ? grade : { ...grade, digest: carried(grade.digest) },
  );
  return {
    ...row,
    grades,
    digests: renumberedDigests(row.digests, carried),
  };
}

/** What the earlier judges spent belongs to the earlier run. */
function regradedSpending({ usage, costUsd }: Row, grades: Row['grades']): Pick<Row, 'usage' | 'costUsd'> {
  const { judge: _usage, ...otherUsage } = usage;
  const { judge: _cost, ...otherCost } = costUsd;
  const now = judgeSpending(grades);
  return { usage: { ...otherUsage, ...now.usage }, costUsd: { ...otherCost, ...now.costUsd } };
}

function subjectOf({ row, transcript }: StoredTrial, testCase: TestCase, work: StoredGrading): Subject {
  const { turns, steps, usage, costUsd, workspacePath, latency = [] } = row;
  return {
    case: testCase,
    target: row.target,
    runId: work.sourceRunId,
    repetition: row.repetition,
    transcript,
    ...(work.tellsToolCalls(row.target) ? { tellsToolCalls: true } : {}),
    answer: finalAnswer(transcript),
    measures: {
      durationMs: latency.reduce((sum, ms) => sum + ms, 0),
      latency,
      turns,
      steps,
      costUsd: costUsd.agent ?? null,
      ...(usage.agent === undefined ? {} : { usage: usage.agent }),
    },
    ...storedWorld(row, work),
    ...(workspacePath === undefined
      ? {}
      : {
          workspace: storedWorkspace(resolve(work.directory, workspacePath)),
        }),
  };
}

function storedWorkspace(directory: string): GradedWorkspace {
  const redacted = readable(redactedPathsFile(directory), () => readRedactedPaths(directory));
  return {
    directory,
    ...(redacted.length === 0 ? {} : { redacted }),
    changes: async () => storedChanges(directory, redacted),
  };
}

/** What the tools of the trial left, as its last attempt wrote it. */
function storedWorld({ artifactDir }: Row, { directory }: StoredGrading): Pick<Subject, 'world'> {
  if (artifactDir === undefined) return {};
  const file = join(resolve(directory, artifactDir), WORLD_FILE);
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

/** Measured once, and not graded now. */
function ungradable(row: Row, thrown: AssayError): Row {
  const error = errorRecord(thrown, { stage: 'grading', kind: 'grader' });
  return { ...row, verdict: 'errored', status: 'errored', passed: false, score: null, grades: [], error };
}

import { dirname } from 'node:path';

import { readClass } from '../../../assertions/classify.ts';
import { CODE_GRADER } from '../../../authoring/code/load.ts';
import type { RunnerResult } from '../../../core/code-suite.ts';
import { messageOf, type ErrorRecord } from '../../../core/errors.ts';
import type { Grade } from '../../../core/grade.ts';
import { emptyReport } from '../../../core/report-of.ts';
import type { SessionReport } from '../../../core/session-report.ts';
import { spoiled, statusOf } from '../../../core/verdict.ts';
import type { ConcludedAttempt, EndedAttempt } from '../../../engine/trial-context.ts';
import { given } from '../../../lib/given.ts';
import { endForeignCode, lateScope } from '../../../lib/modules/foreign-code.ts';
import { promptOf, reportOfSubject, type HookDetails } from './code-grader.ts';
import type { CodeSuites } from '../../binding/machine.ts';
import { ASSERTION_CLASS, classOfError, originOf, UNEXPECTED_PASS_CLASS } from './failure-class.ts';

/** The class of a regraded trial, from the current functions. */
export function regradedClass(ended: EndedAttempt, concluding: CodeSuites): ConcludedAttempt {
  const code = ended.grades.find(({ type }) => type === CODE_GRADER);
  const { decision, subject, trial } = ended;
  if (ended.testCase.module === undefined || subject === undefined) return { decision };
  const runner = concluding.runnerOf(trial.target);
  const report =
    decision.error?.kind === 'normalization'
      ? emptyReport({ runner, prompt: promptOf(subject.case) })
      : reportOfSubject(subject, runner);
  return classified({ ended, code, report, concluding });
}

/** The basis for classifying an attempt. */
export interface Classifying {
  readonly ended: EndedAttempt;
  /** The grade of the assert hook, if it ran. */
  readonly code: Grade | undefined;
  readonly report: SessionReport;
  readonly concluding: CodeSuites;
}

/** The default class, overridden by that of the assertion, overridden by that of the hook. */
export function classified(classifying: Classifying): ConcludedAttempt {
  const { ended, code } = classifying;
  const { testCase, decision } = ended;
  const { status } = statusOf(decision.verdict, testCase.expectedFail ?? false);
  if (status === 'unexpected-passed') return { decision, failureClass: UNEXPECTED_PASS_CLASS };
  if (decision.verdict === 'passed') return { decision };
  const own = (code?.details as HookDetails | undefined)?.failureClass;
  const failureClass = own ?? (decision.error === undefined ? ASSERTION_CLASS : classOfError(decision.error));
  return byHook(classifying, { decision, failureClass });
}

/** The class from the case's own function, if it has one. */
export function byHook(classifying: Classifying, concluded: ConcludedAttempt): ConcludedAttempt {
  const { ended, concluding } = classifying;
  const written = concluding.hooks(ended.trial.suite, ended.trial.caseId);
  if (written?.classifyFailure === undefined || !ended.isLast) return concluded;
  try {
    const result = runnerResult(classifying, concluded);
    const late = lateScope(`classifyFailure of ${written.id}`);
    const supplied: unknown = endForeignCode(late, () => written.classifyFailure?.(result));
    return supplied === undefined ? concluded : { ...concluded, failureClass: readClass(supplied) };
  } catch (error) {
    return hookError(concluded, error);
  }
}

/** A failed trial becomes errored. An errored one keeps its error and its class. */
function hookError({ decision, failureClass }: ConcludedAttempt, thrown: unknown): ConcludedAttempt {
  const note = `classifyFailure threw: ${messageOf(thrown)}`;
  if (decision.verdict === 'errored') {
    return { decision, ...given({ failureClass }), notes: [note] };
  }
  const error: ErrorRecord = {
    stage: 'grading',
    kind: 'assert-hook',
    code: 'assert-hook',
    message: note,
    hint: 'return undefined, an id, or { id, label }; do not return a promise, because it is not awaited',
  };
  return { decision: spoiled(decision, error), failureClass: classOfError(error), notes: [note] };
}

function runnerResult({ ended, code, report }: Classifying, concluded: ConcludedAttempt): RunnerResult {
  const { testCase, artifacts } = ended;
  const seen = seenStatus(testCase, concluded);
  const artifactDir = artifacts.directory();
  const { failureClass } = concluded;
  return {
    runner: report.runner,
    passed: seen.passed,
    status: seen.status,
    durationMs: ended.durationMs,
    executionArtifactDir: dirname(artifactDir),
    artifactDir,
    report: structuredClone(report),
    ...failureOf(concluded, code),
    ...(failureClass === undefined ? {} : { failureClass: { ...failureClass } }),
  };
}

/** The status of an attempt, which considers expected failures. */
export function seenStatus({ expectedFail }: EndedAttempt['testCase'], concluded: ConcludedAttempt) {
  const isExpected = expectedFail === true && concluded.isUnexpected !== true;
  return statusOf(concluded.decision.verdict, isExpected);
}

/** The error of a trial that did not pass, with its origin. */
export function failureOf(
  { decision, grades }: ConcludedAttempt,
  code: Grade | undefined,
): Pick<RunnerResult, 'error' | 'failureOrigin' | 'failureKind'> | undefined {
  if (decision.verdict === 'passed') return undefined;
  const [snapshot] = grades ?? [];
  if (decision.verdict === 'failed' && snapshot !== undefined) {
    const { type, reason } = snapshot;
    return {
      error: { name: 'SnapshotError', message: reason },
      failureOrigin: type,
      failureKind: type,
    };
  }
  const { name = 'Error', stack } = (code?.details as HookDetails | undefined)?.error ?? {};
  const message = decision.error?.message ?? code?.reason ?? 'the trial failed';
  const own = causeOf(decision, code) === undefined ? { name, stack } : { name: 'Error', stack: undefined };
  return {
    error: {
      name: code === undefined ? 'MeasurementError' : own.name,
      message,
      ...given({ stack: own.stack }),
    },
    failureOrigin: originOf(decision.error),
    failureKind: decision.error?.kind ?? 'assertion',
  };
}

/** The failed assertion of a trial that became errored when it was classified. */
export function causeOf(
  { error }: ConcludedAttempt['decision'],
  code: Grade | undefined,
): RunnerResult['error'] {
  if (error?.kind !== 'assert-hook' || code === undefined || code.score === null) return undefined;
  const { name = 'AssertionError', stack } = (code.details as HookDetails | undefined)?.error ?? {};
  return { name, message: code.reason, ...given({ stack }) };
}

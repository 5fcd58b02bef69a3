import { dirname } from 'node:path';

import { readClass } from '../assertions/classify.ts';
import { CODE_GRADER } from '../authoring/code/load.ts';
import type { FailureClass, RunnerResult } from '../core/code-suite.ts';
import { messageOf, type ErrorRecord } from '../core/errors.ts';
import type { Grade } from '../core/grade.ts';
import { emptyReport } from '../core/report-of.ts';
import type { SessionReport } from '../core/session-report.ts';
import { statusOf, type Decision } from '../core/verdict.ts';
import type { ConcludedAttempt, EndedAttempt } from '../engine/parts.ts';
import { reportOfSubject, promptOf, type HookDetails } from './code-grader.ts';
import type { CodeSuites } from './load-project.ts';
import { ASSERTION_CLASS, classOfError, originOf, UNEXPECTED_PASS_CLASS } from './failure-class.ts';

/** What an attempt at a case of a code suite leaves behind: its class, report.json and error.json. */
export function attemptConclusion(
  concluding: CodeSuites,
): (ended: EndedAttempt) => Promise<ConcludedAttempt> {
  return async (ended) => {
    const { testCase, decision, artifacts, subject } = ended;
    const code = ended.grades.find(({ type }) => type === CODE_GRADER);
    if (testCase.module === undefined) return { decision };
    const runner = concluding.runnerOf(ended.trial.target);
    const report =
      subject === undefined
        ? emptyReport({ runner, prompt: promptOf(testCase) })
        : reportOfSubject(subject, runner);
    if (subject !== undefined) await artifacts.write('report.json', `${JSON.stringify(report, null, 2)}\n`);
    const concluded = classified({ ended, code, report, concluding });
    const failure = failureOf(concluded, code);
    if (failure !== undefined || decision.verdict !== 'passed')
      await artifacts.write(
        'error.json',
        `${JSON.stringify({ ...failure, ...more(concluded, code) }, null, 2)}\n`,
      );
    return concluded;
  };
}

/** The class that a trial has which is graded again, by the functions of now. */
export function regradedClass(ended: EndedAttempt, concluding: CodeSuites): ConcludedAttempt {
  const code = ended.grades.find(({ type }) => type === CODE_GRADER);
  const { decision, subject, trial } = ended;
  if (ended.testCase.module === undefined || subject === undefined) return { decision };
  const report = reportOfSubject(subject, concluding.runnerOf(trial.target));
  return classified({ ended, code, report, concluding });
}

interface Classifying {
  readonly ended: EndedAttempt;
  /** The grade of the assert hook, where it came to that. */
  readonly code: Grade | undefined;
  readonly report: SessionReport;
  readonly concluding: CodeSuites;
}

/** The default class, the class of the assertion, the class of the hook: the last one counts. */
function classified({ ended, code, report, concluding }: Classifying): ConcludedAttempt {
  const { testCase, decision, trial } = ended;
  const { status } = statusOf(decision.verdict, testCase.expectedFail ?? false);
  if (status === 'unexpected-passed') return { decision, failureClass: UNEXPECTED_PASS_CLASS };
  if (decision.verdict === 'passed') return { decision };
  const own = (code?.details as HookDetails | undefined)?.failureClass;
  const failureClass = own ?? (decision.error === undefined ? ASSERTION_CLASS : classOfError(decision.error));
  const concluded: ConcludedAttempt = { decision, failureClass };
  const written = concluding.hooks(trial.suite, trial.caseId);
  if (written?.classifyFailure === undefined || !ended.isLast) return concluded;
  try {
    const result = runnerResult({ ended, code, report, concluding }, concluded);
    const given: unknown = written.classifyFailure(result);
    return given === undefined ? concluded : { decision, failureClass: readClass(given) };
  } catch (error) {
    return hookError(concluded, error);
  }
}

/** A failed trial becomes errored; one that was errored keeps its error and its class. */
function hookError({ decision, failureClass }: ConcludedAttempt, thrown: unknown): ConcludedAttempt {
  const note = `classifyFailure threw: ${messageOf(thrown)}`;
  if (decision.verdict === 'errored') {
    return { decision, ...(failureClass === undefined ? {} : { failureClass }), notes: [note] };
  }
  const error: ErrorRecord = {
    stage: 'grading',
    kind: 'assert-hook',
    code: 'assert-hook',
    message: note,
    hint: 'return undefined, the id of a class, or { id, label }; it is not awaited',
  };
  const errored: Decision = { ...decision, verdict: 'errored', score: null, error };
  return { decision: errored, failureClass: classOfError(error), notes: [note] };
}

function runnerResult({ ended, code, report }: Classifying, concluded: ConcludedAttempt): RunnerResult {
  const { testCase, decision, artifacts } = ended;
  const seen = statusOf(decision.verdict, testCase.expectedFail ?? false);
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

/** The error of a trial that did not pass, with where it came from. */
function failureOf(
  { decision }: ConcludedAttempt,
  code: Grade | undefined,
): Pick<RunnerResult, 'error' | 'failureOrigin' | 'failureKind'> | undefined {
  if (decision.verdict === 'passed') return undefined;
  const { name = 'Error', stack } = (code?.details as HookDetails | undefined)?.error ?? {};
  const message = decision.error?.message ?? code?.reason ?? 'the trial failed';
  return {
    error: {
      name: code === undefined ? 'MeasurementError' : name,
      message,
      ...(stack === undefined ? {} : { stack }),
    },
    failureOrigin: originOf(decision.error),
    failureKind: decision.error?.kind ?? 'assertion',
  };
}

function more({ decision, failureClass, notes }: ConcludedAttempt, code: Grade | undefined) {
  const { error, softFailures } = (code?.details as Partial<HookDetails> | undefined) ?? {};
  return {
    ...(error?.location === undefined ? {} : { location: error.location }),
    ...(softFailures === undefined ? {} : { softFailures }),
    ...(decision.error === undefined ? {} : { stage: decision.error.stage, kind: decision.error.kind }),
    ...(failureClass === undefined ? {} : { class: failureClass satisfies FailureClass }),
    ...(notes === undefined ? {} : { notes }),
  };
}

import { CODE_GRADER } from '../../../authoring/code/load.ts';
import type { FailureClass } from '../../../core/code-suite.ts';
import type { Grade } from '../../../core/grade.ts';
import { emptyReport } from '../../../core/report-of.ts';
import type { UsageReport } from '../../../core/session-report.ts';
import { fallenAt } from '../../../core/verdict.ts';
import type { ConcludedAttempt, EndedAttempt } from '../../../engine/trial-context.ts';
import { byHook, causeOf, classified, failureOf, seenStatus, type Classifying } from './classify-attempt.ts';
import { promptOf, reportOfSubject, type HookDetails } from './code-grader.ts';
import { keepForExplain, type StateKeeper } from './explain-file.ts';
import { SNAPSHOT_CLASS } from './failure-class.ts';
import type { CodeSuites } from '../../binding/machine.ts';
import type { TokenBaselines } from './token-baselines.ts';
import { given } from '../../../lib/given.ts';

/** Everything needed to conclude an attempt. */
export interface Concluding {
  readonly code: CodeSuites;
  readonly tokenBaselines?: TokenBaselines | undefined;
  readonly keepState: StateKeeper;
}

/** Concludes an attempt at a case of a code suite: its class, report.json, error.json and explain.json. */
export function attemptConclusion({
  code: concluding,
  tokenBaselines,
  keepState,
}: Concluding): (ended: EndedAttempt) => Promise<ConcludedAttempt> {
  return async (ended) => {
    const { testCase, decision, artifacts, subject } = ended;
    const code = ended.grades.find(({ type }) => type === CODE_GRADER);
    if (testCase.module === undefined) return { decision };
    const runner = concluding.runnerOf(ended.trial.target);
    const report =
      subject === undefined || decision.error?.kind === 'normalization'
        ? emptyReport({ runner, prompt: promptOf(testCase) })
        : reportOfSubject(subject, runner);
    if (subject !== undefined && decision.error?.kind !== 'normalization')
      await artifacts.write('report.json', `${JSON.stringify(report, null, 2)}\n`);
    const classifying = { ended, code, report, concluding };
    const concluded = withinBaseline(classifying, tokenBaselines);
    const failure = failureOf(concluded, code);
    if (failure !== undefined || concluded.decision.verdict !== 'passed')
      await artifacts.write(
        'error.json',
        `${JSON.stringify({ ...failure, ...more(concluded, code, subject) }, null, 2)}\n`,
      );
    const questions = (code?.details as HookDetails | undefined)?.questions ?? [];
    if (concluded.decision.verdict === 'failed' && questions.length > 0)
      await keepForExplain(ended, questions, keepState);
    return concluded;
  };
}

/** If a cell used more tokens than its baseline allows, its last trial fails. */
function withinBaseline(classifying: Classifying, baselines: TokenBaselines | undefined): ConcludedAttempt {
  const concluded = classified(classifying);
  const { ended, report } = classifying;
  if (baselines === undefined || !ended.isLast) return concluded;
  const { status } = seenStatus(ended.testCase, concluded);
  const counts = status === 'passed' || status === 'expected-failed';
  const usage: UsageReport | undefined = counts ? report.usage : undefined;
  const fault = baselines.ended(ended.trial, usage);
  if (fault === undefined) return concluded;
  // The cell does not pass anyway, and an errored trial stays errored.
  if (!counts) return { ...concluded, notes: [...(concluded.notes ?? []), fault] };
  const { decision } = concluded;
  const exceeded: ConcludedAttempt = {
    ...concluded,
    decision: fallenAt(decision, BASELINE_GRADE.name),
    failureClass: SNAPSHOT_CLASS,
    isUnexpected: true,
    grades: [{ ...BASELINE_GRADE, reason: fault }],
  };
  return decision.verdict === 'passed' ? byHook(classifying, exceeded) : exceeded;
}

/** The baseline is a gate: it can change the verdict, but not the score. */
const BASELINE_GRADE: Omit<Grade, 'reason'> & { readonly name: string } = {
  name: 'token baseline',
  type: 'snapshot',
  score: 0,
  passed: false,
  weight: 0,
  required: 1,
  durationMs: 0,
};

function more(
  { decision, failureClass, notes }: ConcludedAttempt,
  code: Grade | undefined,
  subject: EndedAttempt['subject'],
) {
  const unknownEvents = decision.error?.unknownEvents ?? subject?.session?.unknownEvents;
  const { error, softFailures } = (code?.details as Partial<HookDetails> | undefined) ?? {};
  const cause = causeOf(decision, code);
  return {
    ...given({ cause, location: error?.location, softFailures }),
    ...(decision.error === undefined ? {} : { stage: decision.error.stage, kind: decision.error.kind }),
    ...(failureClass === undefined ? {} : { class: failureClass satisfies FailureClass }),
    ...given({ unknownEvents, notes }),
  };
}

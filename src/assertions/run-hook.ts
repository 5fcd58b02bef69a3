import { AssertionError } from 'node:assert/strict';

import type { AssertionContext, CodeCase, FailureClass } from '../core/code-suite.ts';
import { messageOf } from '../core/errors.ts';
import type { Grade } from '../core/grade.ts';
import type { SessionReport } from '../core/session-report.ts';
import { endForeignCode, inForeignCode, type ForeignScope } from '../lib/modules/foreign-code.ts';
import { isAssertionError, stackOf, withLocation } from './failure.ts';
import { startHookClock, type HookClock } from './hook-clock.ts';
import { questionsOf, type Question } from './questions.ts';
import { classOf, inFrame, type TrialFrame } from './trial-frame.ts';

/** The result of an assert hook. */
export interface HookOutcome {
  /**
   * `crashed`: it threw another error than a failed assertion, or did not end. `ungraded`: a grader of `grade` could
   * not decide.
   */
  readonly kind: 'passed' | 'failed' | 'crashed' | 'ungraded';
  readonly error?: Error;
  /** Class of the error, or of its first item that has a class. */
  readonly failureClass?: FailureClass | undefined;
  readonly softFailures: readonly Error[];
  readonly grades: readonly Grade[];
  readonly questions: readonly Question[];
}

export interface HookRun {
  readonly testCase: Pick<CodeCase, 'assert'>;
  readonly report: SessionReport;
  readonly timeoutMs: number;
  readonly grade?: TrialFrame['grade'];
  /** Called with leftover errors: rejections and exceptions after the hook had ended. */
  readonly onLate?: (reason: unknown) => void;
  readonly signal: AbortSignal;
}

/** Runs the assert hook of a case on copies of the report. Rejects only with the signal's reason. */
export async function runHook(run: HookRun): Promise<HookOutcome> {
  const report = structuredClone(run.report);
  const frame: TrialFrame = {
    report,
    softFailures: [],
    pending: new Set(),
    lost: [],
    late: undefined,
    grades: [],
    grade: run.grade && gradeInto(() => frame, run.grade),
  };
  try {
    const ended = await bounded((clock, settle) => guarded({ frame, run, clock }, settle), run);
    return concluded(ended, frame);
  } finally {
    frame.late = run.onLate ?? (() => {});
  }
}

/** Messages, and questions of assertions, are the author's code too. */
function concluded(ended: Ended, frame: TrialFrame): HookOutcome {
  const late: ForeignScope = { caught: (thrown) => frame.late?.(thrown) };
  try {
    return endForeignCode(late, () => outcomeOf(ended, frame));
  } catch (thrown) {
    return outcomeOf({ hasThrown: true, thrown }, frame);
  }
}

type Ended = { readonly thrown?: unknown; readonly hasThrown: boolean };

/** An uncaught exception ends the hook at once, and so does `process.exit`. */
function guarded(guard: Guarded, settle: (ended: Ended) => void): Promise<Ended> {
  const { frame } = guard;
  const caught: ForeignScope['caught'] = (thrown, kind) => {
    if (frame.late !== undefined) frame.late(thrown);
    else if (kind === 'rejection') frame.lost.push(thrown);
    else settle({ hasThrown: true, thrown });
  };
  return inForeignCode({ caught }, () => inFrame(frame, () => throughToTheEnd(guard)));
}

interface Guarded {
  readonly frame: TrialFrame;
  readonly run: HookRun;
  readonly clock: HookClock;
}

/** Runs the hook, then waits for work that it started without awaiting it. */
async function throughToTheEnd({ frame, run, clock }: Guarded): Promise<Ended> {
  const { testCase, timeoutMs } = run;
  let ended: Ended = { hasThrown: false };
  try {
    await clock.begin(() => testCase.assert(frame.report, contextOf(frame.report)));
  } catch (error) {
    ended = { hasThrown: true, thrown: error };
  }
  clock.end();
  // While it blocks the thread, no timer can end it.
  const isLate = clock.passedMs() > timeoutMs;
  if (isLate && (!ended.hasThrown || isAssertionError(ended.thrown))) return tooLate(timeoutMs);
  while (frame.pending.size > 0) await Promise.all(frame.pending);
  // Node reports unhandled rejections after all waiting work has run.
  await new Promise((resolve) => setImmediate(resolve));
  return !ended.hasThrown && frame.lost.length > 0 ? { hasThrown: true, thrown: frame.lost[0] } : ended;
}

function contextOf(report: SessionReport): AssertionContext {
  const events = () => structuredClone(report.events);
  return {
    getCommands: () => events().flatMap((event) => (event.type === 'command' ? [event.command] : [])),
    getToolCalls: (tool) =>
      events().filter((event) => event.type === 'toolCall' && (tool === undefined || event.tool === tool)),
    getFileReads: () => [...report.files.observedReads],
    detectedSkills: () => structuredClone(report.detectedSkills),
    finalOutput: () => report.finalOutput,
  };
}

/** A grader of `grade` could not decide. */
class GraderFailure extends Error {
  override readonly name = 'GraderFailure';
}

function gradeInto(frame: () => TrialFrame, give: NonNullable<TrialFrame['grade']>): TrialFrame['grade'] {
  return async (entry) => {
    const grade = await give(entry);
    frame().grades.push(grade);
    if (grade.score === null) throw new GraderFailure(`${grade.name}: ${grade.reason}`);
    return grade;
  };
}

class HookTimeout extends Error {
  override readonly name = 'HookTimeout';
}

function tooLate(timeoutMs: number): Ended {
  const message = `the assert hook timed out after ${timeoutMs} ms; raise \`run.assertTimeoutMs\`, or check what it waits for`;
  return { hasThrown: true, thrown: new HookTimeout(message) };
}

type Work = (clock: HookClock, settle: (ended: Ended) => void) => Promise<Ended>;

async function bounded(work: Work, { timeoutMs, signal }: HookRun): Promise<Ended> {
  signal.throwIfAborted();
  const clock = startHookClock();
  let timer: NodeJS.Timeout | undefined;
  let abandon = () => {};
  try {
    return await new Promise((settle, reject) => {
      const look = () => {
        const leftMs = timeoutMs - clock.passedMs();
        if (leftMs <= 0) settle(tooLate(timeoutMs));
        else timer = setTimeout(look, leftMs);
      };
      abandon = () => reject(signal.reason as Error);
      signal.addEventListener('abort', abandon, { once: true });
      look();
      work(clock, settle).then(settle, (error: unknown) => settle({ hasThrown: true, thrown: error }));
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abandon);
    clock.stop();
  }
}

function outcomeOf({ hasThrown, thrown }: Ended, frame: TrialFrame): HookOutcome {
  const softFailures = frame.softFailures.filter(isAssertionError);
  const collected = { softFailures, grades: frame.grades, questions: [] };
  const undecided = frame.grades.find(({ score }) => score === null);
  if (undecided !== undefined) {
    const error = new Error(`${undecided.name}: ${undecided.reason}`);
    return { kind: 'ungraded', error, ...collected };
  }
  if (!hasThrown && softFailures.length === 0) return { kind: 'passed', ...collected };
  if (hasThrown && !isAssertionError(thrown)) {
    const error = crash(thrown, softFailures);
    return { kind: 'crashed', error, failureClass: classOf(thrown), ...collected };
  }
  const failures = hasThrown ? [...softFailures, thrown as Error] : softFailures;
  const [only] = failures;
  const error = softFailures.length === 0 && only !== undefined ? withLocation(only) : aggregate(failures);
  const failureClass = failures.map(classOf).find((each) => each !== undefined);
  const questions = questionsOf(failures, contextOf(frame.report));
  return { kind: 'failed', error, failureClass, ...collected, questions };
}

/** Combines all failures to one error with a numbered list. */
function aggregate(failures: readonly Error[]): Error {
  const items = failures.map((each, index) => `${index + 1}. ${messageOf(each).replaceAll('\n', '\n   ')}`);
  const message = `${failures.length} assertion ${failures.length === 1 ? 'failure' : 'failures'}:\n${items.join('\n')}`;
  const error = new AssertionError({ message, operator: 'softAssertions' });
  const [first] = failures;
  const location = (first as { location?: unknown } | undefined)?.location;
  if (first !== undefined)
    error.stack = `${error.name}: ${message}\n${stackOf(first)
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n')}`;
  return typeof location === 'string' ? Object.assign(error, { location }) : error;
}

/** A thrown value as an error that lists the soft failures before it. */
function crash(thrown: unknown, softFailures: readonly Error[]): Error {
  const isError = thrown instanceof Error;
  const said = isError ? `${thrown.name}: ${messageOf(thrown)}` : `${messageOf(thrown)} was thrown`;
  const soft = softFailures.map((each, index) => `${index + 1}. ${messageOf(each)}`);
  const before = soft.length === 0 ? '' : `\nSoft failures before it:\n${soft.join('\n')}`;
  const text = thrown instanceof HookTimeout ? thrown.message : said;
  const error = new Error(`${text}${before}`, { cause: thrown });
  error.name = isError ? thrown.name : 'Error';
  if (isError && thrown.stack !== undefined) error.stack = thrown.stack;
  return withLocation(error);
}

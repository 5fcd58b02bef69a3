import * as z from 'zod';

import { userStack } from '../../../assertions/failure.ts';
import type { Question } from '../../../assertions/questions.ts';
import { runHook, type HookOutcome } from '../../../assertions/run-hook.ts';
import type { CodeHooks } from '../../../authoring/code/load.ts';
import { CODE_GRADER } from '../../../authoring/code/load.ts';
import { messageOf } from '../../../core/errors.ts';
import { gradeOf, type Finding, type Grade, type Subject } from '../../../core/grade.ts';
import { textOf } from '../../../core/message.ts';
import type { GraderPlugin, GraderServices } from '../../../core/plugin.ts';
import { reportOf } from '../../../core/report-of.ts';
import type { RawArtifacts, RunnerInfo, SessionReport } from '../../../core/session-report.ts';
import type { Expectation } from '../../../core/test-case.ts';
import { given } from '../../../lib/given.ts';
import type { JsonObject, JsonValue } from '../../../lib/json.ts';

const config = z.strictObject({ suite: z.string(), case: z.string() });

type Config = z.infer<typeof config>;

/** Everything that the hooks of code suites need. */
export interface CodeGrading {
  readonly hooks: CodeHooks;
  /** Time limit per hook, in milliseconds. */
  readonly assertTimeoutMs: number;
  /** Whether a judge is configured for `grade`. */
  readonly hasJudge: boolean;
  readonly runnerOf: (target: string) => RunnerInfo;
  /** Turns an entry in the form of YAML evals into an expectation. Throws if it is invalid. */
  readonly expectationOf: (entry: unknown, directory: string) => Expectation;
}

/** The grader of code suites. Runs the loaded assert function. */
export function codeGrader(grading: CodeGrading): GraderPlugin {
  const plugin: GraderPlugin<Config> = {
    type: CODE_GRADER,
    version: 1,
    summary: 'The assert function of a code suite.',
    config,
    asksJudge: () => grading.hasJudge,
    touches: () => 'programs',
    create: (which, services) => ({
      grade: async (subject, signal) => [await hookFinding(which, subject, { grading, services, signal })],
    }),
  };
  return plugin as GraderPlugin;
}

/** The session report that a hook gets. */
export function reportOfSubject(subject: Subject, runner: RunnerInfo): SessionReport {
  const { transcript, measures, workspace, session } = subject;
  const isAsLeft = workspace?.redacted === undefined;
  return reportOf(transcript, {
    runner,
    prompt: promptOf(subject.case),
    usage: measures.usage,
    durationMs: measures.durationMs,
    sessionId: session?.id,
    rawArtifacts: rawArtifactsOf(session?.files ?? []),
    workspace: isAsLeft ? workspace : undefined,
  });
}

/** Artifact files by kind, recognised by name. */
function rawArtifactsOf(files: readonly string[]): RawArtifacts {
  const named = (pattern: RegExp) =>
    files.find((path) => pattern.test(path.slice(path.lastIndexOf('/') + 1)));
  const found: readonly (readonly [keyof RawArtifacts, string | undefined])[] = [
    ['stdoutPath', named(/^stdout\b/)],
    ['stderrPath', named(/^stderr\b/)],
    ['sessionPath', named(/^(?:session|rollout|events)\b.*\.jsonl?$/)],
    ['exportPath', named(/^export\b/)],
    ['telemetryPath', named(/^(?:usage|telemetry)\b/)],
  ];
  return Object.fromEntries(found.filter(([, path]) => path !== undefined));
}

export function promptOf({ input }: Pick<Subject['case'], 'input'>): string {
  return textOf(input.at(-1)?.parts ?? []);
}

interface Running {
  readonly grading: CodeGrading;
  readonly services: GraderServices;
  readonly signal: AbortSignal;
}

async function hookFinding(which: Config, subject: Subject, running: Running): Promise<Finding> {
  const { grading, signal } = running;
  const testCase = grading.hooks(which.suite, which.case);
  if (testCase === undefined) {
    const reason = `${which.suite} is not loaded; name the suite file with --suite`;
    return { score: null, reason, failureCode: 'assert-hook' };
  }
  const report = mapped(subject, grading);
  if (report instanceof Error) {
    const reason = `the session report could not be created: ${report.message}`;
    return { score: null, reason, failureCode: 'normalization' };
  }
  const outcome = await runHook({
    testCase,
    report,
    timeoutMs: grading.assertTimeoutMs,
    grade: (entry) => gradeEntry(entry, subject, running),
    onLate: (reason) =>
      subject.note?.(
        `a promise or callback that the assert function did not await failed: ${messageOf(reason)}`,
      ),
    signal,
  });
  const finding = findingOf(outcome);
  const isMissed =
    finding.score === null && report.workspace === undefined && subject.case.workspace !== undefined;
  if (!isMissed) return finding;
  const reason = `${finding.reason} (the kept workspace differs from what the agent left; run the case again)`;
  return { ...finding, reason };
}

function mapped(subject: Subject, { runnerOf }: CodeGrading): SessionReport | Error {
  try {
    return reportOfSubject(subject, runnerOf(subject.target));
  } catch (error) {
    return new Error(messageOf(error), { cause: error });
  }
}

async function gradeEntry(
  entry: unknown,
  subject: Subject,
  { grading, services, signal }: Running,
): Promise<Grade> {
  const startedAt = performance.now();
  const measured = () => ({ durationMs: Math.round(performance.now() - startedAt) });
  let expectation = unread(entry);
  try {
    expectation = grading.expectationOf(entry, services.directory);
    const [finding] = await services.graderFor(expectation).grade(subject, signal);
    if (finding === undefined) throw new Error('the grader returned no result');
    return gradeOf(expectation, finding, measured());
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return gradeOf(
      { ...expectation, negate: false },
      { score: null, reason: `could not be decided: ${reason}` },
      measured(),
    );
  }
}

/** An invalid entry becomes a grader that could not decide. */
function unread(entry: unknown): Expectation {
  const { type } = (entry ?? {}) as { readonly type?: unknown };
  const name = typeof type === 'string' ? type : 'grade';
  return { name, type: name, weight: 1, config: {} };
}

function findingOf(outcome: HookOutcome): Finding {
  const { kind, error, grades } = outcome;
  const members = grades.length === 0 ? {} : { members: grades };
  if (kind === 'passed') return { score: 1, reason: 'the assert function returned', ...members };
  const reason = error === undefined ? 'the assert function failed' : messageOf(error);
  const told = { reason, ...members, details: detailsOf(outcome) };
  if (kind === 'failed') return { score: 0, ...told };
  return { score: null, ...told, ...(kind === 'crashed' ? { failureCode: 'assert-hook' } : {}) };
}

/** Details of a hook's failure besides its message, as stored in the grade. */
export interface HookDetails extends JsonObject {
  readonly error: { readonly name: string; readonly stack?: string; readonly location?: string };
  readonly softFailures?: readonly { readonly message: string; readonly location?: string }[];
  readonly failureClass?: { readonly id: string; readonly label?: string };
  /** Questions for the agent about it. */
  readonly questions?: readonly (Question & JsonObject)[];
}

function detailsOf({ error, softFailures, failureClass, questions }: HookOutcome): HookDetails & JsonValue {
  const location = (of: Error | undefined) => {
    const place = (of as { location?: unknown } | undefined)?.location;
    return typeof place === 'string' ? { location: place } : {};
  };
  const stack = error && userStack(error);
  return {
    error: {
      name: error?.name ?? 'Error',
      ...given({ stack }),
      ...location(error),
    },
    ...(softFailures.length === 0
      ? {}
      : { softFailures: softFailures.map((each) => ({ message: messageOf(each), ...location(each) })) }),
    ...(failureClass === undefined ? {} : { failureClass: { ...failureClass } }),
    ...(questions.length === 0 ? {} : { questions: questions.map((each) => ({ ...each })) }),
  };
}

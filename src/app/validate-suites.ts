import { discoverSuites } from '../authoring/discover.ts';
import { AssayError } from '../core/errors.ts';
import { AuthoringError, formatProblem, isOfEnvironment, type Problem } from '../core/problem.ts';
import { EXIT } from './exit-code.ts';
import { loadProject } from './planning/load/load-project.ts';
import { missingPrograms } from './binding/missing-programs.ts';
import { planRun } from './planning/plan-run.ts';
import { bind } from './binding/bind.ts';
import type { RunOptions } from '../core/run-options.ts';
import type { Surroundings } from './surroundings.ts';
import { plural } from '../lib/text/plural.ts';
import { printableLine } from '../lib/text/printable-json.ts';

export interface Validation {
  readonly exitCode: number;
  readonly text: string;
  readonly json: string;
}

/**
 * Returns all problems of the written files, including modules, programs and packages, or what was checked. Values of
 * the environment are not checked, because only a run needs them.
 */
export async function validateSuites(options: RunOptions, surroundings: Surroundings): Promise<Validation> {
  const { stored, patterns } = options;
  try {
    const { spec, machine, warnings } = await planRun({ options, surroundings, isPlanOnly: true });
    const { plan, use, judges } = bind(spec, machine);
    const missing = missingPrograms(new Map([...use.targets, ...judges.use.targets]), machine.loaded);
    if (missing.length > 0) return refused(new AuthoringError(missing));
    const files = stored === true ? patterns.length : plan.suites.length;
    return found({ files, cases: plan.cases.length, warnings });
  } catch (error) {
    const files = stored === true ? [] : await storedFilesOnly(patterns, surroundings.cwd);
    if (files.length > 0) return await validateSuites(asStored(options, files), surroundings);
    if (!(error instanceof AuthoringError) && !isOfStoredRuns(error)) throw error;
    const problems = error instanceof AuthoringError ? error.problems.filter(isWritten) : [];
    if (problems.length > 0) return refused(new AuthoringError(problems));
    const { suites } = await loadProject({ options, surroundings });
    const cases = suites.reduce((sum, suite) => sum + suite.cases.length, 0);
    return found({ files: stored === true ? patterns.length : suites.length, cases, warnings: [] });
  }
}

/** Whether a problem is in the project. Variables and keys of the environment are not checked here. */
function isWritten(problem: Problem): boolean {
  return problem.code === 'package-missing' || !isOfEnvironment(problem);
}

/** The files, if all of them are stored test cases. They are then recognised without `--stored`. */
async function storedFilesOnly(patterns: readonly string[], cwd: string): Promise<readonly string[]> {
  const evals = (await discoverSuites(patterns, cwd)).files;
  const { storedCaseFiles } = await import('../authoring/stored/recognise.ts');
  // Most projects have evals and many unrelated files.
  if ((await storedCaseFiles(evals)).length < evals.length) return [];
  const { findCaseFiles } = await import('../authoring/stored/find-files.ts');
  const { files, problems } = await findCaseFiles(patterns.length === 0 ? ['.'] : patterns, cwd);
  return problems.length > 0 ? [] : await storedCaseFiles(files);
}

/** Checks cases of any status, including drafts. */
function asStored(options: RunOptions, files: readonly string[]): RunOptions {
  return { ...options, patterns: files, stored: true, select: { status: ['any'] } };
}

/** Whether an error is about a stored run to replay, which need not exist for a check. */
function isOfStoredRuns(error: unknown): boolean {
  return error instanceof AssayError && /^(run-not-found|run-ambiguous|replay-unclear)$/.test(error.code);
}

interface Checked {
  readonly files: number;
  readonly cases: number;
  readonly warnings: readonly Problem[];
}

function found({ files, cases, warnings }: Checked): Validation {
  const lines = warnings.map((warning) => `warning: ${formatProblem(warning)}\n`);
  const text = `${lines.join('')}${plural(files, 'file')} and ${plural(cases, 'case')} checked: no problems\n`;
  const document = { suites: files, cases, problems: [], ...(warnings.length === 0 ? {} : { warnings }) };
  return { exitCode: EXIT.ok, text, json: printableLine(document) };
}

function refused(error: AuthoringError): Validation {
  return { exitCode: EXIT.usage, text: problemText(error), json: problemJson(error.problems) };
}

function problemText({ problems, message }: AuthoringError): string {
  return `${[...problems.map(formatProblem), message].join('\n')}\n`;
}

function problemJson(problems: readonly Problem[]): string {
  return printableLine({ problems });
}

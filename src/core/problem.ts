import { plural } from '../lib/text/plural.ts';
import { stripControls } from '../lib/text/terminal-text.ts';
import type { ProblemCode } from './error-code.ts';
import { AssayError } from './errors.ts';

/** One mistake in what a person wrote, with its place. */
export interface Problem {
  /** The path as the person would type it. */
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** From 1, in characters. */
  readonly column?: number;
  /**
   * Keys and positions from the top of the file to the mistake. In a line of JSONL or CSV: from the top of its test.
   */
  readonly path?: readonly (string | number)[];
  /** The subject within the file: `case "login"`, `case #2`. */
  readonly subject?: string;
  /** kebab-case, stable. */
  readonly code: ProblemCode;
  readonly message: string;
  /** What to do, or a suggested spelling. */
  readonly hint?: string;
}

/** All mistakes of all files, each of them once. Nothing was run or written. */
export class AuthoringError extends AssayError {
  readonly problems: readonly Problem[];

  /** `consequence`: what did not happen because of them. */
  constructor(found: readonly Problem[], consequence = 'nothing was run') {
    const problems = [...new Map(found.map((problem) => [formatProblem(problem), problem])).values()];
    const where = problems.every(isOfEnvironment) ? 'in the environment' : 'found';
    super('authoring', `${plural(problems.length, 'problem')} ${where}; ${consequence}`, {
      stage: 'authoring',
    });
    this.name = 'AuthoringError';
    this.problems = problems;
  }
}

/** Whether only a variable or a package is missing, and no file has a mistake. */
export function isOfEnvironment({ code }: Pick<Problem, 'code'>): boolean {
  return code === 'environment-unset' || code === 'credentials-missing' || code === 'package-missing';
}

/** `file:line:column  subject  code  message  (hint)`: the only spelling of a problem, safe for terminals. */
export function formatProblem(problem: Problem): string {
  const place = [problem.file, problem.line, problem.column].filter((part) => part !== undefined).join(':');
  const hint = problem.hint === undefined ? '' : `  (${problem.hint})`;
  const subject = problem.subject === undefined ? '' : `  ${problem.subject}`;
  return stripControls(`${place}${subject}  ${problem.code}  ${problem.message}${hint}`);
}

import { plural } from '../lib/text/plural.ts';
import { stripControls } from '../lib/text/terminal-text.ts';
import type { ProblemCode } from './error-code.ts';
import { AssayError } from './errors.ts';

/** One thing wrong with what a person wrote, at the place where they wrote it. */
export interface Problem {
  /** Path as the person would type it. */
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** From 1, in characters. */
  readonly column?: number;
  /** Keys and positions from the top of the file to what is wrong; of a line of JSONL or CSV, from the top of its test. */
  readonly path?: readonly (string | number)[];
  /** What of the file it is about: `case "login"`, `case #2`. */
  readonly subject?: string;
  /** kebab-case, stable. */
  readonly code: ProblemCode;
  readonly message: string;
  /** What to do, or the word that was probably meant. */
  readonly hint?: string;
}

/** Everything wrong with all files at once, each problem once; nothing has run. */
export class AuthoringError extends AssayError {
  readonly problems: readonly Problem[];

  constructor(found: readonly Problem[]) {
    const problems = [...new Map(found.map((problem) => [formatProblem(problem), problem])).values()];
    const where = problems.every(isOfEnvironment) ? 'the environment' : 'what was written';
    super('authoring', `${plural(problems.length, 'problem')} in ${where}; nothing was run`, {
      stage: 'authoring',
    });
    this.name = 'AuthoringError';
    this.problems = problems;
  }
}

/** Whether a variable or a package is missing, and nothing that was written is wrong. */
export function isOfEnvironment({ code }: Pick<Problem, 'code'>): boolean {
  return code === 'environment-unset' || code === 'credentials-missing' || code === 'package-missing';
}

/** `file:line:column  subject  code  message  (hint)`, the one spelling of a problem; what it cites cannot move a cursor. */
export function formatProblem(problem: Problem): string {
  const place = [problem.file, problem.line, problem.column].filter((part) => part !== undefined).join(':');
  const hint = problem.hint === undefined ? '' : `  (${problem.hint})`;
  const subject = problem.subject === undefined ? '' : `  ${problem.subject}`;
  return stripControls(`${place}${subject}  ${problem.code}  ${problem.message}${hint}`);
}

import { CommanderError } from 'commander';

import { AssayError, messageOf } from '../core/errors.ts';
import { EXIT } from '../app/exit-code.ts';
import { AuthoringError, formatProblem } from '../core/problem.ts';
import { given } from '../lib/given.ts';
import { printableJson } from '../lib/text/printable-json.ts';

/** Prints on stderr why the command failed, with `--json` also on stdout, and returns the exit code. */
export function reportFailure(error: unknown, form: 'text' | 'json'): number {
  const exitCode = tell(error);
  if (form === 'json') writeFailure(exitCode, error);
  return exitCode;
}

/** Writes the document that `--json` prints in place of a result. */
export function writeFailure(exitCode: number, error: unknown): void {
  const { code, message, hint } =
    error instanceof AssayError ? error : { code: codeOf(error), message: messageOf(error) };
  const said = { code, message, ...given({ hint }) };
  const problems = error instanceof AuthoringError ? { problems: error.problems } : {};
  process.stdout.write(`${printableJson({ exitCode, error: said, ...problems })}\n`);
}

function codeOf(error: unknown): string {
  return error instanceof CommanderError ? 'usage' : 'internal';
}

function tell(error: unknown): number {
  if (error instanceof AuthoringError) {
    for (const problem of error.problems) print(formatProblem(problem));
    print(`assay: ${error.message}`);
    return EXIT.usage;
  }
  if (error instanceof AssayError) {
    print(`assay: ${error.message}${error.hint === undefined ? '' : `\n  ${error.hint}`}`);
    return error.code === 'results-not-written' ? EXIT.notWritten : EXIT.usage;
  }
  print('assay: internal error. This is a defect of assay: please report it with the text below');
  print(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return EXIT.usage;
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}

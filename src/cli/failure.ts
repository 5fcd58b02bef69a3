import { AssayError } from '../core/errors.ts';
import { EXIT } from '../app/exit-code.ts';
import { AuthoringError, formatProblem } from '../core/problem.ts';

/** Says on stderr why nothing was done, and gives the exit code. */
export function reportFailure(error: unknown): number {
  if (error instanceof AuthoringError) {
    for (const problem of error.problems) print(formatProblem(problem));
    print(`assay: ${error.message}`);
    return EXIT.usage;
  }
  if (error instanceof AssayError) {
    print(`assay: ${error.message}${error.hint === undefined ? '' : `\n  ${error.hint}`}`);
    return error.code === 'results-not-written' ? EXIT.notWritten : EXIT.usage;
  }
  print('assay: internal error; this is a defect of assay, please report it with what follows');
  print(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return EXIT.usage;
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}

import { EXIT } from '../app/exit-code.ts';

/** Exit codes that take precedence over a failed write to standard output. */
const STRONGER: readonly unknown[] = [EXIT.usage, 130, 143];

/** Reports once, and in the exit code, that standard output cannot be written. A closed pipe (`assay show | head`) is not an error. */
export function tellOfOutputErrors(): void {
  let told = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || told) return;
    told = true;
    process.stderr.write(`assay: cannot write to standard output: ${error.message}\n`);
    process.once('exit', () => {
      if (!STRONGER.includes(process.exitCode)) process.exitCode = EXIT.notWritten;
    });
  });
}

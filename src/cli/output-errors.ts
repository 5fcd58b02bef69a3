import { EXIT } from '../app/exit-code.ts';

/** Codes that say more than that nobody could read what was printed. */
const STRONGER: readonly unknown[] = [EXIT.usage, 130, 143];

/** Says once, and in the exit code, that standard output cannot be written. `assay show | head` is no failure. */
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

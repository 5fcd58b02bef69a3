import { assayVersion } from '../app/version.ts';

/** Whether only the version is requested, which needs no other module. */
export function isVersionRequest(argv: readonly string[]): boolean {
  return argv.length === 3 && (argv[2] === '--version' || argv[2] === '-V');
}

export function printVersion(): void {
  process.stdout.write(`${assayVersion()}\n`);
}

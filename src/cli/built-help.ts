/**
 * Answers `--help` from a file that the build wrote next to the program, because setting up all commands takes longer than
 * starting Node. Returns false if the arguments ask for something else, or the file does not exist.
 */
export function printBuiltHelp(argv: readonly string[]): boolean {
  const help = isHelpRequest(argv) ? builtHelp() : undefined;
  if (help !== undefined) process.stdout.write(help);
  return help !== undefined;
}

function isHelpRequest(argv: readonly string[]): boolean {
  return argv.length === 3 && (argv[2] === '--help' || argv[2] === '-h');
}

function builtHelp(): string | undefined {
  try {
    // Importing node:fs would read all its exports, which loads its streams.
    const { readFileSync } = process.getBuiltinModule('node:fs');
    return readFileSync(new URL('help.txt', import.meta.url), 'utf8');
  } catch {
    return undefined;
  }
}

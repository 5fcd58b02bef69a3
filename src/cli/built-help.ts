/**
 * Answers `--help` from the file that the build wrote beside the program: setting up all commands takes longer than
 * starting Node. False when something else was asked for, or there is no such file.
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
    // An import of node:fs would read all its names, which loads its streams.
    const { readFileSync } = process.getBuiltinModule('node:fs');
    return readFileSync(new URL('help.txt', import.meta.url), 'utf8');
  } catch {
    return undefined;
  }
}

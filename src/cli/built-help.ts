/** What `--help` says, as the build wrote it down beside the program: setting up all commands takes longer than Node. */
export function builtHelp(argv: readonly string[]): string | undefined {
  if (argv.length !== 3 || (argv[2] !== '--help' && argv[2] !== '-h')) return undefined;
  try {
    // An import of node:fs would read all its names, which loads its streams.
    const { readFileSync } = process.getBuiltinModule('node:fs');
    return readFileSync(new URL('help.txt', import.meta.url), 'utf8');
  } catch {
    return undefined;
  }
}

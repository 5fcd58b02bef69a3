import { type Command, InvalidArgumentError, Option } from 'commander';

/** Options whose parts come with a later release: refused, never ignored. */
const LATER: readonly (readonly [flags: string, what: string])[] = [
  ['--judge <target>', 'model graders'],
  ['--cassette <dir>', 'cassettes'],
  ['--mode <mode>', 'cassettes'],
  ['--baseline <run>', 'comparing runs'],
  ['--gate <expr>', 'gates'],
  ['--strict', 'gates'],
  ['--max-cost <usd>', 'a limit on money'],
  ['--allow-unknown-cost', 'a limit on money'],
  ['--stored', 'stored test cases'],
  ['--update-snapshots', 'snapshots'],
];

/** Adds the options that are known and not available yet. */
export function refuseLaterOptions(command: Command): Command {
  for (const [flags, what] of LATER) {
    const refuse = () => {
      throw new InvalidArgumentError(`Not available yet: ${what} come with a later release.`);
    };
    const option = new Option(flags).hideHelp();
    command.addOption(option.argParser(refuse));
    if (!flags.includes('<'))
      command.on(`option:${flags.slice(2)}`, () => command.error(notYet(flags, what)));
  }
  return command;
}

function notYet(flag: string, what: string): string {
  return `error: option '${flag}' is not available yet: ${what} come with a later release.`;
}

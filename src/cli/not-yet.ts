import { type Command, Option } from 'commander';

/** Options whose parts come with a later release: refused, never ignored. */
const LATER: readonly (readonly [flags: string, what: string])[] = [['--update-snapshots', 'snapshots']];

/** Adds the options that are known and not available yet. */
export function refuseLaterOptions(command: Command): Command {
  for (const [flags, what] of LATER) {
    command.addOption(new Option(flags).hideHelp());
    const [name = flags] = flags.split(' ');
    command.on(`option:${name.slice(2)}`, () => {
      command.error(`error: ${name} is not available yet: ${what} come with a later release`);
    });
  }
  return command;
}

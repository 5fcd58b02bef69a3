import { Command } from 'commander';

import { conduct, withConductOptions, type ConductFlags } from './conduct.ts';

interface MergeFlags extends ConductFlags {
  readonly partial?: boolean;
}

export function mergeCommand(done: (exitCode: number) => void): Command {
  const command = new Command('merge')
    .description('merge the shards of a run into one run')
    .argument('<runs...>', 'run directories or run ids')
    .option('--partial', 'accept missing shards (default: exit code 3)');
  return withConductOptions(command).action(async (runs: readonly string[], flags: MergeFlags) => {
    const { mergeRuns } = await import('../app/merge-runs.ts');
    const request = { runs, isPartialAllowed: flags.partial === true };
    done(await conduct(flags, (site) => mergeRuns(request, site)));
  });
}

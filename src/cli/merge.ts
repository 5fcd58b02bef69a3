import { Command } from 'commander';

import { conduct, withConductOptions, type ConductFlags } from './conduct.ts';

interface MergeFlags extends ConductFlags {
  readonly partial?: boolean;
}

export function mergeCommand(done: (exitCode: number) => void): Command {
  const command = new Command('merge')
    .description('join the parts of a sharded run into one run')
    .argument('<runs...>', 'run directories or ids')
    .option('--partial', 'accept missing shards instead of ending with exit code 3');
  return withConductOptions(command).action(async (runs: readonly string[], flags: MergeFlags) => {
    const { mergeRuns } = await import('../app/merge-runs.ts');
    const request = { runs, isPartialAllowed: flags.partial === true };
    done(await conduct(flags, (presentation) => mergeRuns(request, presentation)));
  });
}

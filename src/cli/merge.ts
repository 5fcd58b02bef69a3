import { Command } from 'commander';

import { conduct, withConductOptions, type ConductFlags } from './conduct.ts';

export function mergeCommand(done: (exitCode: number) => void): Command {
  const command = new Command('merge')
    .description('join the parts of a sharded run into one run')
    .argument('<runs...>', 'run directories or ids');
  return withConductOptions(command).action(async (runs: readonly string[], flags: ConductFlags) => {
    const { mergeRuns } = await import('../app/merge-runs.ts');
    done(await conduct(flags, (presentation) => mergeRuns(runs, presentation)));
  });
}

import { Command } from 'commander';

import { preferenceOf } from './case-selector.ts';
import { positiveCount } from './option-values.ts';
import { surroundings } from './surroundings.ts';

export function runsCommand(done: (exitCode: number) => void): Command {
  return new Command('runs')
    .description('list stored runs, newest first')
    .option('--out <dir>', 'folder of stored runs (default .assay/runs)')
    .option('--limit <n>', 'largest number of runs to list', positiveCount, 20)
    .option('--stored', 'list the runs of the store')
    .option('--json', 'print one JSON document per line')
    .action(async (flags: { out?: string; limit: number; json?: boolean; stored?: boolean }) => {
      const { describeRuns } = await import('../app/list-runs.ts');
      const form = flags.json === true ? 'json' : 'text';
      const out = flags.out === undefined ? {} : { out: flags.out };
      process.stdout.write(
        await describeRuns({ ...out, limit: flags.limit, form }, surroundings(preferenceOf(flags))),
      );
      done(0);
    });
}

import { hostname } from 'node:os';
import { Command } from 'commander';

import { given } from '../lib/given.ts';
import { positiveCount, secondsAsMs } from './option-values.ts';
import { interrupted } from './serving.ts';
import { surroundings } from './surroundings.ts';
import { workTeller } from './work-teller.ts';

interface WorkerFlags {
  readonly concurrency: number;
  readonly name?: string;
  readonly config?: string;
  readonly grace?: number;
}

const EXAMPLES = `
Examples:
  assay worker --concurrency 4       run up to 4 trials in parallel
  assay worker --name big-machine    with a name that \`assay workers\` shows

A worker runs trials of the runs in the PostgreSQL database of DATABASE_URL that were
started with \`assay run --workers\`, or by \`assay serve --no-worker\`.
It needs the same config and the same version of assay as the process that planned the run.
`;

export function workerCommand(done: (exitCode: number) => void): Command {
  return new Command('worker')
    .description('run trials of runs that are conducted elsewhere')
    .option('--concurrency <n>', 'number of parallel trials', positiveCount, 1)
    .option('--name <name>', 'name of this worker (default: the name of the machine)')
    .option('--config <file>', 'config file (default: the nearest assay.config.*)')
    .option(
      '--grace <seconds>',
      'how long running trials may go on after SIGTERM or Ctrl-C (default 60)',
      secondsAsMs,
    )
    .addHelpText('after', EXAMPLES)
    .action(async ({ concurrency, name = hostname(), config, grace = 60_000 }: WorkerFlags) => {
      const [{ openSharedStore }, { work }] = await Promise.all([
        import('../app/database.ts'),
        import('../worker/work.ts'),
      ]);
      const around = surroundings('store');
      const store = await openSharedStore(around);
      const stop = new AbortController();
      void interrupted().then(() => stop.abort());
      await work(
        store,
        {
          slots: concurrency,
          name,
          graceMs: grace,
          stop: stop.signal,
          tell: workTeller(name, { slots: concurrency, graceMs: grace }),
          ...given({ config }),
        },
        around,
      ).finally(() => store.close());
      done(0);
    });
}

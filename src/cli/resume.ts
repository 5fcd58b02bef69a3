import { Command } from 'commander';

import { given } from '../lib/given.ts';
import { preferenceOf, withStoreOption } from './case-selector.ts';
import { conduct, whereOf, withConductOptions, withWorkersOption, type ConductFlags } from './conduct.ts';
import { moneyOf, withMoneyOptions, type MoneyFlags } from './money.ts';
import { commaSeparated, positiveCount } from './option-values.ts';
import { surroundings } from './surroundings.ts';
import { holdYoungSpace } from '../lib/process/young-space.ts';

interface ResumeFlags extends ConductFlags, MoneyFlags {
  readonly retry?: readonly string[];
  readonly acceptChanges?: boolean;
  readonly concurrency?: number;
  readonly trust?: boolean;
  readonly stored?: boolean;
}

export function resumeCommand(done: (exitCode: number) => void): Command {
  const command = new Command('resume')
    .description('continue an interrupted run with the trials that have no outcome yet')
    .argument('<run>', 'run directory, run id or its first characters, or latest')
    .option(
      '--retry <verdicts>',
      'also run errored or cancelled trials again (comma-separated)',
      commaSeparated,
    )
    .option(
      '--accept-changes',
      'run cases again that changed since the run was planned (default: stop with an error)',
    )
    .option('--concurrency <n>', 'number of parallel trials', positiveCount)
    .option('--trust', 'allow executing the config and suites of a run from another project');
  return withConductOptions(
    withMoneyOptions(withStoreOption(withWorkersOption(command, 'continue a run in'))),
  ).action(async (run: string, flags: ResumeFlags) => {
    holdYoungSpace();
    const { resumeRun } = await import('../app/resume-run.ts');
    const { serverOfRun } = await import('../app/served/server-of-run.ts');
    const { resumeServedRun } = await import('../app/served/resume-served-run.ts');
    const { retry = [], acceptChanges = false, concurrency } = flags;
    const request = {
      run,
      retry,
      acceptChanges,
      isTrusted: flags.trust === true,
      ...given({ concurrency }),
      ...moneyOf(flags),
    };
    const isShared = flags.workers === true;
    const prefers = isShared ? 'store' : preferenceOf(flags);
    const server = isShared ? undefined : await serverOfRun(run, flags.out, surroundings(prefers));
    done(
      await conduct({ ...flags, ...whereOf(server, prefers) }, (site) =>
        server === undefined ? resumeRun(request, site) : resumeServedRun(request, server, site),
      ),
    );
  });
}

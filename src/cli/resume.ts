import { Command } from 'commander';

import { given } from '../lib/given.ts';
import { conduct, withConductOptions, type ConductFlags } from './conduct.ts';
import { moneyOf, withMoneyOptions, type MoneyFlags } from './money.ts';
import { commaSeparated, positiveCount } from './option-values.ts';
import { holdYoungSpace } from '../lib/process/young-space.ts';

interface ResumeFlags extends ConductFlags, MoneyFlags {
  readonly retry?: readonly string[];
  readonly acceptChanges?: boolean;
  readonly concurrency?: number;
  readonly trust?: boolean;
}

export function resumeCommand(done: (exitCode: number) => void): Command {
  const command = new Command('resume')
    .description('continue an interrupted run with the trials that have no outcome yet')
    .argument('<run>', 'run directory, run id or its first characters, or latest')
    .option('--retry <verdicts>', 'also run errored or cancelled trials again', commaSeparated)
    .option('--accept-changes', 'run changed cases again, instead of refusing')
    .option('--concurrency <n>', 'number of parallel trials', positiveCount)
    .option('--trust', 'allow executing the config and suites of a run from another project');
  return withConductOptions(withMoneyOptions(command)).action(async (run: string, flags: ResumeFlags) => {
    holdYoungSpace();
    const { resumeRun } = await import('../app/resume-run.ts');
    const { retry = [], acceptChanges = false, concurrency } = flags;
    const request = {
      run,
      retry,
      acceptChanges,
      isTrusted: flags.trust === true,
      ...given({ concurrency }),
      ...moneyOf(flags),
    };
    done(await conduct(flags, (presentation) => resumeRun(request, presentation)));
  });
}

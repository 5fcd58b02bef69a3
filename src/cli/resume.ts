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
    .description('go on with a run that was interrupted: only what has no end yet')
    .argument('<run>', 'run directory, run id, the beginning of one, or latest')
    .option('--retry <verdicts>', 'also run again what was errored or cancelled', commaSeparated)
    .option('--accept-changes', 'run again what changed since, instead of refusing')
    .option('--concurrency <n>', 'trials at once', positiveCount)
    .option('--trust', 'execute the config and suites that a run of another project names');
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

import { Command, Option } from 'commander';

import { given } from '../lib/given.ts';
import { storedOf, withStoredOptions, type StoredFlags } from './case-selector.ts';
import { innerFraction } from './option-values.ts';
import { surroundings } from './surroundings.ts';

interface PlanFlags extends StoredFlags {
  readonly detect: number;
  readonly from: string;
  readonly on: 'score' | 'passed';
  readonly alpha: number;
  readonly out?: string;
  readonly config?: string;
  readonly json?: boolean;
}

export function planCommand(done: (exitCode: number) => void): Command {
  const command = new Command('plan')
    .description('compute how many cases and repetitions are needed to detect a change')
    .argument('<suites...>', 'files, folders or globs')
    .requiredOption(
      '--detect <x>',
      'smallest change to detect, such as 0.1 (10 percentage points)',
      innerFraction,
    )
    .requiredOption('--from <run>', 'stored run to estimate the variance from; RUN#TARGET selects a target')
    .addOption(
      new Option('--on <what>', 'value that will be compared').choices(['score', 'passed']).default('score'),
    )
    .option(
      '--alpha <x>',
      'accepted rate of false alarms: how often an unchanged agent may be called changed',
      innerFraction,
      0.05,
    )
    .option('--out <dir>', 'folder of stored runs (default .assay/runs)')
    .option('--config <file>', 'config file to use')
    .option('--json', 'print one JSON document');
  return withStoredOptions(command).action(async (suites: readonly string[], flags: PlanFlags) => {
    const { detect, from, on, alpha, out, config } = flags;
    const { describeSampleSize } = await import('../app/plan-sample-size.ts');
    const request = {
      suites,
      ...storedOf(flags, suites),
      detect,
      from,
      on,
      alpha,
      ...given({ out, config }),
      form: flags.json === true ? 'json' : 'text',
    } as const;
    process.stdout.write(await describeSampleSize(request, surroundings()));
    done(0);
  });
}

import { Command } from 'commander';

import { given } from '../lib/given.ts';
import { preferenceOf, withStoreOption } from './case-selector.ts';
import { terminalScreen, verbosityOf, type ScreenOptions } from './screen.ts';
import { surroundings } from './surroundings.ts';

interface ShowFlags extends ScreenOptions {
  readonly trial?: string;
  readonly failed?: boolean;
  readonly rebuild?: boolean;
  readonly out?: string;
  readonly json?: boolean;
  readonly stored?: boolean;
}

export function showCommand(done: (exitCode: number) => void): Command {
  const command = new Command('show')
    .description('show a stored run')
    .argument('[run]', 'run directory, run id or its first characters, or latest', 'latest')
    .option('--trial <key>', 'show one trial by key or case id: transcript, grades, evidence')
    .option('--failed', 'show only failed and errored trials, with the reasons')
    .option('--rebuild', 'rebuild results.jsonl and results.json from the events')
    .option('--out <dir>', 'folder of stored runs (default .assay/runs)')
    .option('--json', 'print rows as JSON lines')
    .option('-v, --verbose', 'show every trial')
    .option('--no-color', 'print without colours');
  return withStoreOption(command).action(async (run: string, flags: ShowFlags) => {
    const { showRun } = await import('../app/show-run.ts');
    const around = surroundings(preferenceOf(flags));
    await showRun(
      {
        run,
        ...given({ trial: flags.trial, out: flags.out }),
        failed: flags.failed === true,
        rebuild: flags.rebuild === true,
        form: flags.json === true ? 'json' : 'text',
        verbosity: verbosityOf(flags),
      },
      { screen: terminalScreen(flags, around.environment), surroundings: around },
    );
    done(0);
  });
}

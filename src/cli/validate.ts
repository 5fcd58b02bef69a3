import { Command } from 'commander';

import { surroundings } from './surroundings.ts';

export function validateCommand(done: (exitCode: number) => void): Command {
  return new Command('validate')
    .description(
      'check eval files and config without running them; in a folder without eval files, check its files of test cases',
    )
    .argument('[paths...]', 'files, folders or globs')
    .option('--config <file>', 'config file to use')
    .option('--json', 'print the problems as JSON')
    .action(async (patterns: readonly string[], flags: { config?: string; json?: boolean }) => {
      const { validateSuites } = await import('../app/validate-suites.ts');
      const config = flags.config === undefined ? {} : { config: flags.config };
      const checked = await validateSuites({ patterns, targets: [], cases: [], ...config }, surroundings());
      process.stdout.write(flags.json === true ? checked.json : checked.text);
      done(checked.exitCode);
    });
}

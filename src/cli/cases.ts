import { Command } from 'commander';

import type { CaseOutput } from '../app/test-cases.ts';
import { selectorOf, withSelectorOptions, type SelectorFlags } from './case-selector.ts';
import { surroundings } from './surroundings.ts';

interface CasesFlags {
  readonly json?: boolean;
}

/** Subcommands that need the store, which comes with a later release. They are refused, never ignored. */
const LATER = ['import', 'export', 'archive'];

export function casesCommand(done: (exitCode: number) => void): Command {
  const print = (output: CaseOutput, { json }: CasesFlags): void => {
    process.stdout.write(json === true ? output.json : output.text);
    done(output.exitCode);
  };
  const command = new Command('cases')
    .description('check and show stored test cases (.json, .yaml, .jsonl)')
    .exitOverride();
  command
    .command('validate')
    .description('check stored test cases without running them')
    .argument('<paths...>', 'files, folders or globs')
    .option('--json', 'print JSON')
    .action(async (paths: readonly string[], flags: CasesFlags) => {
      const { validateCases } = await import('../app/test-cases.ts');
      print(await validateCases(paths, surroundings()), flags);
    });
  withSelectorOptions(command.command('list'))
    .description('list stored test cases')
    .argument('<paths...>', 'files, folders or globs')
    .option('--json', 'print JSON')
    .action(async (paths: readonly string[], flags: CasesFlags & SelectorFlags) => {
      const { listCases } = await import('../app/test-cases.ts');
      print(await listCases(paths, surroundings(), selectorOf(flags)), flags);
    });
  command
    .command('show')
    .description('print one stored test case with its defaults and digest')
    .argument('<case>', 'id or name of the test case')
    .argument('<paths...>', 'files, folders or globs')
    .option('--json', 'print JSON')
    .action(async (name: string, paths: readonly string[], flags: CasesFlags) => {
      const { showCase } = await import('../app/test-cases.ts');
      print(await showCase(name, paths, surroundings()), flags);
    });
  for (const name of LATER) {
    command
      .command(name, { hidden: true })
      .allowUnknownOption()
      .argument('[arguments...]')
      .action(() => {
        command.error(
          `error: assay cases ${name} is not available yet: it needs the store, which comes with a later release`,
        );
      });
  }
  return command;
}

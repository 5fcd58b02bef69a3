import { Command, Option } from 'commander';

import type { ExportFormat } from '../app/export-cases.ts';
import type { CaseOutput } from '../app/test-cases.ts';
import type { ImportChoice } from '../core/case-store.ts';
import { refuseSetOfFiles, selectorOf, withSelectorOptions, type SelectorFlags } from './case-selector.ts';
import { repeatable } from './option-values.ts';
import { surroundings } from './surroundings.ts';

interface CasesFlags {
  readonly json?: boolean;
}

export function casesCommand(done: (exitCode: number) => void): Command {
  const print: Print = (output, { json }) => {
    process.stdout.write(json === true ? output.json : output.text);
    done(output.exitCode);
  };
  const command = new Command('cases')
    .description('check, show, import and export stored test cases (.json, .yaml, .jsonl)')
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
    .description('list the test cases of the store, or of files')
    .argument('[paths...]', 'files, folders or globs (default: the store)')
    .option('--json', 'print JSON')
    .action(async (paths: readonly string[], flags: CasesFlags & SelectorFlags) => {
      if (paths.length === 0) {
        const { listStoredCases } = await import('../app/stored-cases.ts');
        return print(await listStoredCases(selectorOf(flags) ?? {}, surroundings()), flags);
      }
      refuseSetOfFiles(flags, paths);
      const { listCases } = await import('../app/test-cases.ts');
      return print(await listCases(paths, surroundings(), selectorOf(flags)), flags);
    });
  command
    .command('show')
    .description(
      'print one test case of the store or of files, with all default values, and its digest (a hash)',
    )
    .argument('<case>', 'id or name of the test case')
    .argument('[paths...]', 'files, folders or globs (default: the store)')
    .option('--json', 'print JSON')
    .action(async (name: string, paths: readonly string[], flags: CasesFlags) => {
      if (paths.length === 0) {
        const { showStoredCase } = await import('../app/stored-cases.ts');
        return print(await showStoredCase(name, surroundings()), flags);
      }
      const { showCase } = await import('../app/test-cases.ts');
      return print(await showCase(name, paths, surroundings()), flags);
    });
  addStoreCommands(command, { print, done });
  return command;
}

type Print = (output: CaseOutput, flags: CasesFlags) => void;

/** How a command ends. */
interface Ending {
  readonly print: Print;
  readonly done: (exitCode: number) => void;
}

interface ImportFlags extends CasesFlags {
  readonly onConflict: ImportChoice['onConflict'];
  readonly match: ImportChoice['match'];
  readonly drop?: readonly string[];
  readonly dryRun?: boolean;
}

interface ExportFlags extends SelectorFlags {
  readonly format?: ExportFormat;
  readonly out?: string;
}

function addStoreCommands(command: Command, { print, done }: Ending): void {
  const choice = (flag: string, what: string, choices: readonly string[]) =>
    new Option(flag, what).choices(choices).default(choices[0]);
  command
    .command('import')
    .description('import files into the store; if one test case has a problem, nothing is imported')
    .argument('<files...>', 'files, folders or globs')
    .addOption(
      choice(
        '--on-conflict <what>',
        'what to do if a test case is already in the store. error: import nothing; skip: keep the stored case; merge: change only the fields in the file; replace: use the case of the file',
        ['error', 'skip', 'merge', 'replace'],
      ),
    )
    .addOption(choice('--match <key>', 'key by which a test case is found in the store', ['id', 'name']))
    .option('--drop <key>', 'remove this unknown key from the test cases (repeatable)', repeatable)
    .option('--dry-run', 'print what would happen, and write nothing')
    .option('--json', 'print JSON')
    .action(async (files: readonly string[], flags: ImportFlags) => {
      const { importCases } = await import('../app/stored-cases.ts');
      const { onConflict, match, drop = [], dryRun: isDryRun = false } = flags;
      print(await importCases(files, { onConflict, match, drop, isDryRun }, surroundings()), flags);
    });
  withSelectorOptions(command.command('export'))
    .description('export test cases of the store with their mocks')
    .addOption(
      new Option(
        '--format <format>',
        'format of the file (default: by the name of `--out`, else json)',
      ).choices(['json', 'yaml', 'jsonl']),
    )
    .option('--out <file>', 'write this file (default: print)')
    .action(async (flags: ExportFlags) => {
      const { exportCases, exportFormat, writeExport } = await import('../app/stored-cases.ts');
      const format = exportFormat(flags);
      const exported = await exportCases(selectorOf(flags) ?? {}, format, surroundings());
      if (flags.out === undefined) return print({ exitCode: 0, text: exported.text, json: '' }, {});
      process.stderr.write(await writeExport(flags.out, exported, surroundings()));
      return done(0);
    });
  command
    .command('archive')
    .description('archive test cases of the store: runs skip them, but their history is kept')
    .argument('<cases...>', 'ids or names')
    .option('--json', 'print JSON')
    .action(async (cases: readonly string[], flags: CasesFlags) => {
      const { archiveCases } = await import('../app/stored-cases.ts');
      print(await archiveCases(cases, surroundings()), flags);
    });
}

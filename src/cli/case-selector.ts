import { Option, type Command } from 'commander';

import type { RunOptions } from '../core/run-options.ts';
import { AssayError } from '../core/errors.ts';
import { given } from '../lib/given.ts';
import { commaSeparated, repeatable } from './option-values.ts';

type CaseSelector = NonNullable<RunOptions['select']>;

/** Flags that select stored test cases. */
export interface SelectorFlags {
  readonly status?: CaseSelector['status'];
  readonly difficulty?: CaseSelector['difficulty'];
  readonly tagAny?: readonly string[];
  readonly tagAll?: readonly string[];
  readonly search?: string;
  readonly id?: readonly string[];
}

const NO_SETS = 'error: --set is not available yet, because the store has no sets';

export function withSelectorOptions(command: Command): Command {
  const several = (flag: string, what: string, choices: readonly string[]) =>
    new Option(flag, what).choices(choices).argParser((value: string, before: readonly string[] = []) => {
      const supplied = [...before, ...value.split(',')];
      const wrong = supplied.find((each) => !choices.includes(each));
      if (wrong === undefined) return supplied;
      return command.error(`error: ${flag} must be one of ${choices.join(', ')}, not '${wrong}'`);
    });
  return command
    .addOption(
      several('--status <status>', 'select stored cases with this status (default: active)', [
        'draft',
        'active',
        'archived',
        'any',
      ]),
    )
    .addOption(
      several('--difficulty <difficulty>', 'select stored cases with this difficulty', ['normal', 'hard']),
    )
    .option(
      '--tag-any <tag>',
      'select stored cases with any of these tags (repeatable, comma-separated)',
      commaSeparated,
    )
    .option('--tag-all <tag>', 'select stored cases with all of these tags (comma-separated)', commaSeparated)
    .option('--search <text>', 'select stored cases with this text in name or description')
    .option('--id <id>', 'select the stored case with this id or name (repeatable)', repeatable)
    .addOption(new Option('--set <set>').argParser(() => command.error(NO_SETS)).hideHelp());
}

/** Adds `--stored` and the flags that select stored cases. */
export function withStoredOptions(command: Command): Command {
  return withSelectorOptions(command.option('--stored', 'read the paths as stored test cases'));
}

export interface StoredFlags extends SelectorFlags {
  readonly stored?: boolean;
}

/** The part of a request that the flags decide. Throws `usage` if they need the store, which does not exist yet. */
export function storedOf(paths: readonly string[], flags: StoredFlags, command: string) {
  const select = selectorOf(flags);
  if (flags.stored !== true && select !== undefined) {
    const message =
      '--status, --difficulty, --tag-any, --tag-all, --search and --id select stored test cases';
    throw new AssayError('usage', message, {
      stage: 'plan',
      hint: 'add --stored, or use --case and --tag for evals and suites',
    });
  }
  if (flags.stored === true && paths.length === 0) {
    throw new AssayError('usage', '--stored needs at least one file or folder', {
      stage: 'plan',
      hint: `use assay ${command} --stored PATH`,
    });
  }
  return given({ stored: flags.stored, select });
}

/** Undefined if no flag was given. */
export function selectorOf(flags: SelectorFlags): CaseSelector | undefined {
  const { status, difficulty, tagAny, tagAll, search, id: ids } = flags;
  const supplied = Object.entries({ status, difficulty, tagAny, tagAll, search, ids }).filter(
    ([, value]) => value !== undefined,
  );
  return supplied.length === 0 ? undefined : (Object.fromEntries(supplied) as CaseSelector);
}

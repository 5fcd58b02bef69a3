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
  readonly set?: string;
}

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
    .option('--set <set>', 'select the members of this set of the store (id or name), in its order');
}

const STORED = 'treat the paths as files of stored test cases; without paths, use the cases of the store';

/** Adds `--stored` to a command that names runs. */
export function withStoreOption(command: Command): Command {
  return command.option('--stored', 'look in the store first; `latest` is its newest run');
}

/** The preference of `--stored`. */
export function preferenceOf({ stored }: { readonly stored?: boolean }): 'store' | undefined {
  return stored === true ? 'store' : undefined;
}

/** Adds `--stored` and the flags that select stored cases. */
export function withStoredOptions(command: Command, addition = ''): Command {
  return withSelectorOptions(command.option('--stored', `${STORED}${addition}`));
}

export interface StoredFlags extends SelectorFlags {
  readonly stored?: boolean;
}

/** The part of a request that the flags decide. */
export function storedOf(flags: StoredFlags, paths: readonly string[]) {
  refuseSetOfFiles(flags, paths);
  const select = selectorOf(flags);
  if (flags.stored !== true && select !== undefined) {
    const message =
      '--status, --difficulty, --tag-any, --tag-all, --search, --id and --set select stored test cases';
    throw new AssayError('usage', message, {
      stage: 'plan',
      hint: 'add --stored, or use --case and --tag for evals and suites',
    });
  }
  return given({ stored: flags.stored, select });
}

/** Throws `usage`: only the store has sets. */
export function refuseSetOfFiles({ set }: SelectorFlags, paths: readonly string[]): void {
  if (set === undefined || paths.length === 0) return;
  throw new AssayError(
    'usage',
    '--set cannot be used with paths: it selects test cases of the store, and paths select files',
    {
      stage: 'plan',
      hint: 'leave out the paths, or select by --id or --tag-any instead of --set',
    },
  );
}

/** Undefined if no flag was given. */
export function selectorOf(flags: SelectorFlags): CaseSelector | undefined {
  const { status, difficulty, tagAny, tagAll, search, id: ids, set } = flags;
  const supplied = Object.entries({ status, difficulty, tagAny, tagAll, search, ids, set }).filter(
    ([, value]) => value !== undefined,
  );
  return supplied.length === 0 ? undefined : (Object.fromEntries(supplied) as CaseSelector);
}

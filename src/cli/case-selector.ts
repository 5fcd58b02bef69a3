import { Option, type Command } from 'commander';

import type { RunOptions } from '../core/run-options.ts';
import { AssayError } from '../core/errors.ts';
import { given } from '../lib/given.ts';
import { commaSeparated, repeatable } from './option-values.ts';

type CaseSelector = NonNullable<RunOptions['select']>;

/** Flags that say which stored test cases are meant. */
export interface SelectorFlags {
  readonly status?: CaseSelector['status'];
  readonly difficulty?: CaseSelector['difficulty'];
  readonly tagAny?: readonly string[];
  readonly tagAll?: readonly string[];
  readonly search?: string;
  readonly id?: readonly string[];
}

const NO_SETS =
  'error: --set is not available yet: sets of cases are kept in the store, which comes with a later release';

export function withSelectorOptions(command: Command): Command {
  const several = (flag: string, what: string, choices: readonly string[]) =>
    new Option(flag, what).choices(choices).argParser((value: string, before: readonly string[] = []) => {
      const supplied = [...before, ...value.split(',')];
      const wrong = supplied.find((each) => !choices.includes(each));
      if (wrong === undefined) return supplied;
      return command.error(`error: ${flag} takes ${choices.join(', ')}, and not '${wrong}'`);
    });
  return command
    .addOption(
      several('--status <status>', 'stored cases of this status (default: active)', [
        'draft',
        'active',
        'archived',
        'any',
      ]),
    )
    .addOption(several('--difficulty <difficulty>', 'stored cases of this difficulty', ['normal', 'hard']))
    .option(
      '--tag-any <tag>',
      'stored cases with one of these tags (repeatable, commas work)',
      commaSeparated,
    )
    .option('--tag-all <tag>', 'stored cases with all of these tags', commaSeparated)
    .option('--search <text>', 'stored cases with this in their name or description')
    .option('--id <id>', 'the stored case with this id or name (repeatable)', repeatable)
    .addOption(new Option('--set <set>').argParser(() => command.error(NO_SETS)).hideHelp());
}

/** `--stored` and the flags that say which stored cases are meant. */
export function withStoredOptions(command: Command): Command {
  return withSelectorOptions(
    command.option('--stored', 'the paths are files or folders of stored test cases'),
  );
}

export interface StoredFlags extends SelectorFlags {
  readonly stored?: boolean;
}

/** What of a request the flags decide; throws where they cannot be met, as long as there is no store. */
export function storedOf(paths: readonly string[], flags: StoredFlags, command: string) {
  const select = selectorOf(flags);
  if (flags.stored !== true && select !== undefined) {
    const message =
      '--status, --difficulty, --tag-any, --tag-all, --search and --id select stored test cases';
    throw new AssayError('usage', message, {
      stage: 'plan',
      hint: 'add --stored; of evals and suites --case and --tag select',
    });
  }
  if (flags.stored === true && paths.length === 0) {
    throw new AssayError('usage', '--stored needs files or folders: the store comes with a later release', {
      stage: 'plan',
      hint: `write assay ${command} --stored PATH`,
    });
  }
  return given({ stored: flags.stored, select });
}

/** Undefined: no flag was given. */
export function selectorOf(flags: SelectorFlags): CaseSelector | undefined {
  const { status, difficulty, tagAny, tagAll, search, id: ids } = flags;
  const supplied = Object.entries({ status, difficulty, tagAny, tagAll, search, ids }).filter(
    ([, value]) => value !== undefined,
  );
  return supplied.length === 0 ? undefined : (Object.fromEntries(supplied) as CaseSelector);
}

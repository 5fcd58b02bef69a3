import { type Command, Option } from 'commander';

import type { RunOptions } from '../core/run-options.ts';
import { ISOLATION_LEVELS, type IsolationLevel } from '../core/isolation-level.ts';
import { given } from '../lib/given.ts';

/** Options about the isolation of programs. */
export interface SandboxFlags {
  readonly sandbox?: IsolationLevel;
  readonly requireIsolation?: IsolationLevel;
}

export function withSandboxOptions(command: Command): Command {
  const option = (flag: string, says: string) =>
    new Option(`${flag} <level>`, says).choices(ISOLATION_LEVELS);
  return command
    .addOption(option('--sandbox', 'how to isolate the programs of all targets'))
    .addOption(option('--require-isolation', 'refuse targets with a weaker isolation'));
}

export function sandboxOf({
  sandbox,
  requireIsolation,
}: SandboxFlags): Pick<RunOptions, 'sandbox' | 'requireIsolation'> {
  return given({ sandbox, requireIsolation });
}

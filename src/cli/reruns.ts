import { type Command, Option } from 'commander';

import { AssayError } from '../core/errors.ts';
import { wholeNumber } from './option-values.ts';

/** Published flags that would run failures again: their names are known, so that people learn why that is refused. */
export function withRefusedReruns(command: Command): Command {
  for (const flag of ['--repeat-failure', '--retry-failed']) {
    const parse = (value: string) => refused(flag, wholeNumber(value));
    command.addOption(new Option(`${flag} <n>`).argParser(parse).hideHelp());
  }
  return command;
}

function refused(flag: string, count: number): number {
  if (count === 0) return count;
  const message = `${flag}: rerunning failures shows an agent that succeeds 7 times in 10 as one that succeeds 91 times in 100`;
  const hint = 'use --repeat for flakiness, run.retryInfrastructure in the config for outages';
  throw new AssayError('rerun-of-failures', message, { stage: 'plan', hint });
}

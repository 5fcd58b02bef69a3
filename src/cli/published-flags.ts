import { type Command, Option } from 'commander';

import { AssayError } from '../core/errors.ts';
import { wholeNumber } from './option-values.ts';

/** Flags of the published runner of code suites, with their replacements here. */
const OURS: Readonly<Record<string, string>> = {
  '--runner <id>': 'use --target NAME',
  '--schedule <mode>': 'set `run.schedule` in the config, or use --concurrency 1 for one trial at a time',
  '--max-parallel <n>': 'use --concurrency N',
  '--snapshots <path>': 'set `snapshots.path` in the config',
  '--output-dir <path>': 'use --out DIR',
  '--cwd <path>': 'set `run.cwd` in the config',
};

/** Refuses the published flags: names our replacement, or explains why failures are never rerun. */
export function withPublishedFlags(command: Command): Command {
  for (const [flag, hint] of Object.entries(OURS)) {
    const parse = () => {
      throw new AssayError('usage', `unknown option ${flag.split(' ')[0]}`, { stage: 'plan', hint });
    };
    command.addOption(new Option(flag).argParser(parse).hideHelp());
  }
  for (const flag of ['--repeat-failure', '--retry-failed']) {
    const parse = (value: string) => refused(flag, wholeNumber(value));
    command.addOption(new Option(`${flag} <n>`).argParser(parse).hideHelp());
  }
  return command;
}

function refused(flag: string, count: number): number {
  if (count === 0) return count;
  const message = `${flag} is not supported: rerunning failures makes a success rate of 70 % look like 91 %`;
  const hint = 'use --repeat to measure flakiness, and run.retryInfrastructure in the config for outages';
  throw new AssayError('rerun-of-failures', message, { stage: 'plan', hint });
}

import { Command } from 'commander';

import { terminalConfirm } from './confirm.ts';
import { terminalScreen } from './screen.ts';
import { surroundings } from './surroundings.ts';

interface ExplainFlags {
  readonly rerun?: boolean;
  readonly trust?: boolean;
}

export function explainCommand(done: (exitCode: number) => void): Command {
  return new Command('explain')
    .description('continue the session of a failed attempt, and ask the agent why the assertions failed')
    .argument('<dir>', 'folder of an attempt; a folder above it works if it contains only one explain.json')
    .option('--rerun', 'ask again; earlier answers are kept')
    .option('--trust', 'allow executing the config and suites of a run from another project')
    .action(async (directory: string, flags: ExplainFlags) => {
      const { explainAttempt } = await import('../app/explain.ts');
      const { untilInterrupted } = await import('./interrupt.ts');
      const around = surroundings();
      const place = {
        screen: terminalScreen({}, around.environment),
        surroundings: around,
        confirm: terminalConfirm(),
      };
      const request = { directory, asksAgain: flags.rerun === true, isTrusted: flags.trust === true };
      done(await untilInterrupted((signal) => explainAttempt(request, { ...place, signal })));
    });
}

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
    .description(
      'ask the agent of a failed attempt why: the questions of its failed assertions, in its own session',
    )
    .argument('<dir>', 'folder of an attempt, or a folder with exactly one explain.json below it')
    .option('--rerun', 'ask again; earlier answers stay')
    .option('--trust', 'execute the config and suites that a run of another project names')
    .action(async (directory: string, flags: ExplainFlags) => {
      const { explainAttempt } = await import('../app/explain.ts');
      const { listenForInterrupts } = await import('./interrupt.ts');
      const around = surroundings();
      const interrupt = listenForInterrupts();
      const place = {
        screen: terminalScreen({}, around.environment),
        surroundings: around,
        signal: interrupt.stop,
        confirm: terminalConfirm(),
      };
      try {
        const request = { directory, asksAgain: flags.rerun === true, isTrusted: flags.trust === true };
        done(await explainAttempt(request, place));
      } catch (error) {
        const signal = interrupt.stoppedBy();
        if (signal === undefined) throw error;
        done(signal === 'SIGINT' ? 130 : 143);
      } finally {
        interrupt.release();
      }
    });
}

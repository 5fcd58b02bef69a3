import { Command } from 'commander';

import { surroundings } from './surroundings.ts';

interface DoctorFlags {
  readonly config?: string;
  readonly json?: boolean;
  readonly sandbox?: boolean;
}

export function doctorCommand(done: (exitCode: number) => void): Command {
  return new Command('doctor')
    .description('show which agent programs are installed, and what is missing for them and your targets')
    .argument(
      '[types...]',
      'target types, such as claude-code; exit code 1 if something is missing for one of them',
    )
    .option('--config <file>', 'config with the targets to check')
    .option('--sandbox', 'try what an agent can reach at each level of isolation on this machine')
    .option('--json', 'print JSON')
    .action(async (types: readonly string[], { json, sandbox, ...flags }: DoctorFlags) => {
      const { examine } = await import('../app/doctor.ts');
      const form = json === true ? 'json' : 'text';
      if (sandbox === true) return done(await trySandboxes(form));
      const signal = new AbortController().signal;
      const { text, isSound } = await examine({ types, form, ...flags }, surroundings(), signal);
      process.stdout.write(text);
      done(types.length === 0 || isSound ? 0 : 1);
    });
}

/** Prints what holds at each level, and returns the exit code. Stopped, it removes what it has made. */
async function trySandboxes(form: 'text' | 'json'): Promise<number> {
  const [{ examineSandboxes }, { listenForStop }] = await Promise.all([
    import('../app/examine-sandboxes.ts'),
    import('./stop-signal.ts'),
  ]);
  using stop = listenForStop();
  try {
    const { text, isSound } = await examineSandboxes(form, surroundings(), stop.signal);
    process.stdout.write(text);
    return isSound ? 0 : 1;
  } catch (error) {
    if (stop.signal.aborted && error === stop.signal.reason) return stop.exitCode() ?? 1;
    throw error;
  }
}

import { Command } from 'commander';

import { surroundings } from './surroundings.ts';

export function doctorCommand(done: (exitCode: number) => void): Command {
  return new Command('doctor')
    .description('which coding agents this machine has, their versions, and what they lack')
    .argument('[types...]', 'types of targets, such as claude-code; then anything missing ends with 1')
    .option('--json', 'print JSON')
    .action(async (types: readonly string[], flags: { json?: boolean }) => {
      const { examine } = await import('../app/doctor.ts');
      const form = flags.json === true ? 'json' : 'text';
      const signal = new AbortController().signal;
      const { text, isSound } = await examine({ types, form }, surroundings(), signal);
      process.stdout.write(text);
      done(types.length === 0 || isSound ? 0 : 1);
    });
}

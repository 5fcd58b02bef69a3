import { Command } from 'commander';

import { surroundings } from './surroundings.ts';

interface DoctorFlags {
  readonly config?: string;
  readonly json?: boolean;
}

export function doctorCommand(done: (exitCode: number) => void): Command {
  return new Command('doctor')
    .description(
      'which programs of agents this machine has, their versions, and what they and your targets lack',
    )
    .argument('[types...]', 'types of targets, such as claude-code; then anything missing ends with 1')
    .option('--config <file>', 'the config whose targets are looked at')
    .option('--json', 'print JSON')
    .action(async (types: readonly string[], { json, ...flags }: DoctorFlags) => {
      const { examine } = await import('../app/doctor.ts');
      const form = json === true ? 'json' : 'text';
      const signal = new AbortController().signal;
      const { text, isSound } = await examine({ types, form, ...flags }, surroundings(), signal);
      process.stdout.write(text);
      done(types.length === 0 || isSound ? 0 : 1);
    });
}

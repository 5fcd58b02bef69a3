import { Command } from 'commander';

import { surroundings } from './surroundings.ts';

export function initCommand(done: (exitCode: number) => void): Command {
  return new Command('init')
    .description('write a config, one eval and one agent that run at once')
    .argument('[folder]', 'where', '.')
    .option('--force', 'overwrite files that are there')
    .action(async (folder: string, flags: { force?: boolean }) => {
      const { initProject } = await import('../app/init-project.ts');
      const mode = flags.force === true ? 'overwrite' : 'keep';
      process.stdout.write(await initProject({ folder, mode }, surroundings()));
      done(0);
    });
}

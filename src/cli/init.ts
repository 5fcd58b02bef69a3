import { Command } from 'commander';

import { surroundings } from './surroundings.ts';

export function initCommand(done: (exitCode: number) => void): Command {
  return new Command('init')
    .description('create a config, an eval and an agent that run immediately')
    .argument('[folder]', 'folder to create the files in', '.')
    .option('--force', 'overwrite existing files')
    .action(async (folder: string, flags: { force?: boolean }) => {
      const { initProject } = await import('../app/init-project.ts');
      const mode = flags.force === true ? 'overwrite' : 'keep';
      process.stdout.write(await initProject({ folder, mode }, surroundings()));
      done(0);
    });
}

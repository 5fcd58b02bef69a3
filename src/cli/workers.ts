import { Command } from 'commander';

import { surroundings } from './surroundings.ts';

export function workersCommand(done: (exitCode: number) => void): Command {
  return new Command('workers')
    .description('list the workers of the last 24 hours, what they run, and what they refuse')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { listWorkers } = await import('../app/list-workers.ts');
      const output = await listWorkers(surroundings('store'));
      process.stdout.write(json === true ? output.json : output.text);
      done(0);
    });
}

import { Argument, Command } from 'commander';

export function listCommand(done: (exitCode: number) => void): Command {
  return new Command('list')
    .description('list the types of graders or targets')
    .addArgument(new Argument('<what>', 'graders or targets').choices(['graders', 'targets']))
    .option('--json', 'print JSON')
    .action(async (what: 'graders' | 'targets', flags: { json?: boolean }) => {
      const { listParts } = await import('../app/list-parts.ts');
      process.stdout.write(await listParts(what, flags.json === true ? 'json' : 'text'));
      done(0);
    });
}

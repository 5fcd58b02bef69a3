import { Argument, Command } from 'commander';

import { AssayError } from '../core/errors.ts';

export function listCommand(done: (exitCode: number) => void): Command {
  return new Command('list')
    .description('list the types of graders or targets')
    .usage('[options] <graders|targets>')
    .addArgument(new Argument('[what]', 'graders or targets').choices(['graders', 'targets']))
    .option('--json', 'print JSON')
    .action(async (what: 'graders' | 'targets' | undefined, flags: { json?: boolean }) => {
      if (what === undefined) {
        throw new AssayError('usage', 'assay list needs an argument', {
          stage: 'plan',
          hint: 'use assay list graders or assay list targets',
        });
      }
      const { listParts } = await import('../app/list-parts.ts');
      process.stdout.write(await listParts(what, flags.json === true ? 'json' : 'text'));
      done(0);
    });
}

import { Command } from 'commander';

import { portNumber } from './option-values.ts';
import { interrupted, openInBrowser, tellOfFault } from './serving.ts';
import { surroundings } from './surroundings.ts';

interface ViewFlags {
  readonly port: number;
  readonly out?: string;
  readonly open?: boolean;
}

const EXAMPLES = `
Examples:
  assay view                 show all runs of this project at http://127.0.0.1:4641
  assay view latest --open   open the latest run in your browser

The pages update during a run. They are read-only. Only this machine can open them. Ctrl-C stops the server.
`;

export function viewCommand(done: (exitCode: number) => void): Command {
  return new Command('view')
    .description('show runs in a browser (read-only)')
    .argument('[run]', 'run to open first: run directory, run id or its first characters, or latest')
    .option('--out <dir>', 'folder of stored runs (default .assay/runs)')
    .option('--port <n>', 'port on 127.0.0.1; 0: any free port', portNumber, 4641)
    .option('--open', 'open the page in your browser')
    .addHelpText('after', EXAMPLES)
    .action(async (run: string | undefined, { open = false, ...flags }: ViewFlags) => {
      const { openView } = await import('../server/open-view.ts');
      const around = surroundings();
      const over = interrupted();
      await using view = await openView({ ...flags, run, onFault: tellOfFault }, around);
      process.stdout.write(`${view.url}  (Ctrl-C to stop)\n`);
      if (open) await openInBrowser(view.url, around);
      await over;
      done(0);
    });
}

import { Command } from 'commander';

import { messageOf } from '../core/errors.ts';
import { stripControls } from '../lib/text/terminal-text.ts';
import { portNumber } from './option-values.ts';
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
      await using view = await openView({ ...flags, run, onFault }, around);
      process.stdout.write(`${view.url}  (Ctrl-C to stop)\n`);
      if (open) await openInBrowser(view.url, around);
      await over;
      done(0);
    });
}

/** A failure is only a warning, because the address was printed before. */
async function openInBrowser(
  url: string,
  { cwd, environment: env }: ReturnType<typeof surroundings>,
): Promise<void> {
  const { openAddress } = await import('../lib/process/open-address.ts');
  const reason = await openAddress(url, { cwd, env, platform: process.platform });
  if (reason === undefined) return;
  process.stderr.write(`cannot open a browser: ${stripControls(reason)} (open the address manually)\n`);
}

function onFault(fault: unknown): void {
  process.stderr.write(`a request failed: ${stripControls(messageOf(fault))}\n`);
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

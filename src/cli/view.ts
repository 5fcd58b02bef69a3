import { Command } from 'commander';

import { messageOf } from '../core/errors.ts';
import { stripControls } from '../lib/text/terminal-text.ts';
import { wholeNumber } from './option-values.ts';
import { surroundings } from './surroundings.ts';

interface ViewFlags {
  readonly port: number;
  readonly out?: string;
  readonly open?: boolean;
}

const EXAMPLES = `
Examples:
  assay view                 all runs of this project, at http://127.0.0.1:4641
  assay view latest --open   the latest one, in your browser

It shows runs while they are written, and changes nothing. Only this machine can reach it. Ctrl-C ends it.
`;

export function viewCommand(done: (exitCode: number) => void): Command {
  return new Command('view')
    .description('show runs in a browser, read-only')
    .argument('[run]', 'opens this run first: a directory, an id, the beginning of one, or latest')
    .option('--out <dir>', 'where runs are kept (default .assay/runs)')
    .option('--port <n>', 'port on 127.0.0.1; 0: any free one', wholeNumber, 4641)
    .option('--open', 'open the address in your browser')
    .addHelpText('after', EXAMPLES)
    .action(async (run: string | undefined, { open = false, ...flags }: ViewFlags) => {
      const { openView } = await import('../server/open-view.ts');
      const around = surroundings();
      const over = interrupted();
      await using view = await openView({ ...flags, run, onFault }, around);
      process.stdout.write(`${view.url}  (Ctrl-C ends it)\n`);
      if (open) await openInBrowser(view.url, around);
      await over;
      done(0);
    });
}

/** The address is printed already: without a browser a person opens it. */
async function openInBrowser(
  url: string,
  { cwd, environment: env }: ReturnType<typeof surroundings>,
): Promise<void> {
  const { openAddress } = await import('../lib/process/open-address.ts');
  const reason = await openAddress(url, { cwd, env, platform: process.platform });
  if (reason === undefined) return;
  process.stderr.write(`cannot open a browser: ${stripControls(reason)} (open the address yourself)\n`);
}

function onFault(fault: unknown): void {
  process.stderr.write(`a request failed: ${stripControls(messageOf(fault))}\n`);
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

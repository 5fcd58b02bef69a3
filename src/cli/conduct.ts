import type { Command } from 'commander';

import type { Surroundings } from '../app/surroundings.ts';
import type { RunOutcome, RunSite } from '../app/conduct/run-site.ts';
import { given } from '../lib/given.ts';
import { terminalConfirm } from './confirm.ts';
import { repeatable } from './option-values.ts';
import { noScreen, terminalScreen, verbosityOf, type ScreenOptions } from './screen.ts';
import { surroundings } from './surroundings.ts';
import { printableJson } from '../lib/text/printable-json.ts';

/** Options of every command that conducts a run. */
export interface ConductFlags extends ScreenOptions {
  readonly out?: string;
  readonly reporter?: readonly string[];
  readonly ci?: boolean;
  readonly json?: boolean;
  /** Which runs `latest` means, and where a new run is kept. */
  readonly prefers?: 'store' | undefined;
  /** Whether workers run the trials. */
  readonly workers?: boolean;
  /** Where the run is executed; default: here. */
  readonly place?: 'server';
}

export function withConductOptions(command: Command): Command {
  return command
    .option('--out <dir>', 'folder of stored runs (default .assay/runs)')
    .option(
      '--reporter <name[=file]>',
      'report to write: terminal, json, junit, github, markdown, html or ./module.ts (repeatable)',
      repeatable,
    )
    .option('--ci', 'print plain lines instead of a live display')
    .option('--json', 'print the result as one JSON document instead of text')
    .option('-q, --quiet', 'print only the outcome')
    .option('-v, --verbose', 'print a line for every trial')
    .option('--no-color', 'print without colours');
}

/** `where`: where the run is. */
export function withWorkersOption(command: Command, where: string): Command {
  return command.option(
    '--workers',
    `${where} the database of DATABASE_URL, and let \`assay worker\` processes run its trials`,
  );
}

/** Where a run is executed: by a server, or here. */
export function whereOf(
  server: object | undefined,
  prefers: ConductFlags['prefers'],
): Pick<ConductFlags, 'place' | 'prefers'> {
  return server === undefined ? { prefers } : { place: 'server' };
}

/** Conducts a run with these flags and returns its exit code. */
export async function conduct(
  flags: ConductFlags,
  start: (site: RunSite) => Promise<RunOutcome>,
): Promise<number> {
  const own = surroundings(flags.prefers);
  const shared = flags.workers === true ? await sharedStore(own) : undefined;
  const around: Surroundings = { ...own, ...shared?.around };
  const screen = terminalScreen(flags, around.environment);
  // Loaded here because the help never ends processes.
  const { listenForInterrupts } = await import('./interrupt.ts');
  const interrupt = listenForInterrupts(flags.place);
  try {
    const outcome = await start({
      ...given({ out: flags.out }),
      surroundings: around,
      interrupt,
      presentation: {
        reporters: flags.reporter ?? [],
        screen: flags.json === true ? noScreen : screen,
        verbosity: verbosityOf(flags),
        ci: flags.ci === true || (around.environment['CI'] ?? '') !== '',
      },
      confirm: terminalConfirm(),
    });
    if (flags.json === true) {
      screen.write(`${printableJson(outcome.summary)}\n`);
      for (const { sink, message } of outcome.unwritten) {
        process.stderr.write(`assay: the ${sink} report could not be written: ${message}\n`);
      }
    }
    return outcome.exitCode;
  } catch (error) {
    // Stopped before the first trial.
    if (!interrupt.stop.aborted || error !== interrupt.stop.reason) throw error;
    return interrupt.stoppedBy() === 'SIGTERM' ? 143 : 130;
  } finally {
    interrupt.release();
    await shared?.store.close();
  }
}

/** The store that workers share. */
async function sharedStore(own: Surroundings) {
  const { openSharedStore } = await import('../app/database.ts');
  const store = await openSharedStore(own);
  const door = { find: async () => store, open: async () => store };
  return { store, around: { hands: 'workers', store: door } as const };
}

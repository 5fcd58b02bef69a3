import type { Command } from 'commander';

import type { Presentation, RunOutcome } from '../app/presentation.ts';
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
}

export function withConductOptions(command: Command): Command {
  return command
    .option('--out <dir>', 'where runs are kept (default .assay/runs)')
    .option(
      '--reporter <name[=file]>',
      'terminal, json, junit, github, markdown, html, or ./module.ts (repeatable)',
      repeatable,
    )
    .option('--ci', 'plain lines, no live display')
    .option('--json', 'print one JSON document at the end instead of text')
    .option('-q, --quiet', 'only the outcome')
    .option('-v, --verbose', 'a line for every trial')
    .option('--no-color', 'no colours');
}

/** Conducts a run as the flags say and gives its exit code. */
export async function conduct(
  flags: ConductFlags,
  start: (presentation: Presentation) => Promise<RunOutcome>,
): Promise<number> {
  const around = surroundings();
  const screen = terminalScreen(flags, around.environment);
  // Ending processes is of no use to the help.
  const { listenForInterrupts } = await import('./interrupt.ts');
  const interrupt = listenForInterrupts();
  try {
    const outcome = await start({
      ...given({ out: flags.out }),
      reporters: flags.reporter ?? [],
      screen: flags.json === true ? noScreen : screen,
      verbosity: verbosityOf(flags),
      ci: flags.ci === true || (around.environment['CI'] ?? '') !== '',
      interrupt,
      surroundings: around,
      confirm: terminalConfirm(),
    });
    if (flags.json === true) {
      screen.write(`${printableJson(outcome.summary)}\n`);
      for (const { sink, message } of outcome.unwritten) {
        process.stderr.write(`assay: the ${sink} report was given up: ${message}\n`);
      }
    }
    return outcome.exitCode;
  } finally {
    interrupt.release();
  }
}

import { createInterface } from 'node:readline';

import { Command } from 'commander';

import { given } from '../lib/given.ts';
import { positiveCount, wholeNumber } from './option-values.ts';
import { terminalScreen, type ScreenOptions } from './screen.ts';
import { surroundings } from './surroundings.ts';

interface LabelFlags extends ScreenOptions {
  readonly expectation?: string;
  readonly labels: string;
  readonly by?: string;
  readonly limit: number;
  readonly seed: number;
  readonly out?: string;
}

export function labelCommand(done: (exitCode: number) => void): Command {
  return new Command('label')
    .description('judge stored answers yourself, without seeing the grades, for assay calibrate')
    .argument('[run]', 'run directory, run id or its first characters, or latest', 'latest')
    .option('--expectation <name>', 'grade to label (default: the only grade that a judge gave)')
    .option('--labels <file>', 'JSONL file to which the labels are added', 'labels.jsonl')
    .option('--by <name>', 'who labels (default: the user of this machine)')
    .option('--limit <n>', 'number of trials to label', positiveCount, 60)
    .option('--seed <n>', 'seed for drawing the trials', wholeNumber, 1)
    .option('--out <dir>', 'folder of stored runs (default .assay/runs)')
    .option('--no-color', 'print without colours')
    .action(async (run: string, flags: LabelFlags) => {
      const { labelRun } = await import('../app/label-run.ts');
      const around = surroundings();
      const { expectation, labels: file, limit, seed, out } = flags;
      const by = flags.by ?? around.environment['USER'] ?? 'me';
      const lines = createInterface({ input: process.stdin, terminal: false });
      const typed = lines[Symbol.asyncIterator]();
      try {
        await labelRun(
          { run, file, by, limit, seed, ...given({ expectation, out }) },
          {
            screen: terminalScreen(flags, around.environment),
            surroundings: around,
            nextLine: async () => {
              const { value, done: isOver } = await typed.next();
              return isOver === true ? undefined : value;
            },
          },
        );
      } finally {
        lines.close();
      }
      done(0);
    });
}

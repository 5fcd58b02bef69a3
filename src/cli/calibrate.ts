import { Command } from 'commander';

import { given } from '../lib/given.ts';
import { wholeNumber } from './option-values.ts';
import { surroundings } from './surroundings.ts';
import { printableJson } from '../lib/text/printable-json.ts';

interface CalibrateFlags {
  readonly run?: string;
  readonly seed?: number;
  readonly out?: string;
  readonly replace?: boolean;
  readonly json?: boolean;
}

export function calibrateCommand(done: (exitCode: number) => void): Command {
  return new Command('calibrate')
    .description('measure how well graders agree with human labels, and save the result in the project')
    .argument(
      '<labels>',
      'JSONL file of labels, one per line: {"trial": "<run id>/<trial key>", "expectation", "verdict", "by"}',
    )
    .option(
      '--run <run>',
      'run directory, run id or its first characters, or latest (default: the run of the labels, else latest)',
    )
    .option(
      '--seed <n>',
      'seed for choosing which half of the labels is held out to measure agreement (default 1)',
      wholeNumber,
    )
    .option('--out <dir>', 'folder of stored runs (default .assay/runs)')
    .option('--replace', 'replace the calibration even if the old one has more labels')
    .option('--json', 'print one JSON document')
    .action(async (labels: string, flags: CalibrateFlags) => {
      const [{ calibrate }, { calibrationText }] = await Promise.all([
        import('../app/calibrate.ts'),
        import('../app/calibration/calibration-text.ts'),
      ]);
      const { run, seed, out, replace, json } = flags;
      const request = {
        labels,
        ...given({ run, seed, out, replace }),
      };
      const report = await calibrate(request, surroundings());
      process.stdout.write(json === true ? `${printableJson(report)}\n` : calibrationText(report));
      done(0);
    });
}

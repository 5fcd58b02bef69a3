import { Command } from 'commander';

import { given } from '../lib/given.ts';
import { wholeNumber } from './option-values.ts';
import { surroundings } from './surroundings.ts';
import { printableJson } from '../lib/text/printable-json.ts';

interface CalibrateFlags {
  readonly run: string;
  readonly seed?: number;
  readonly out?: string;
  readonly replace?: boolean;
  readonly json?: boolean;
}

export function calibrateCommand(done: (exitCode: number) => void): Command {
  return new Command('calibrate')
    .description('see how far graders agree with people, and keep it in the project')
    .argument(
      '<labels>',
      'JSONL file: {"trial": "<run id>/<trial key>", "expectation", "verdict", "by"} a line',
    )
    .option('--run <run>', 'run directory, run id, the beginning of one, or latest', 'latest')
    .option('--seed <n>', 'draws the half that is held out (default 1)', wholeNumber)
    .option('--out <dir>', 'where runs are kept (default .assay/runs)')
    .option('--replace', 'also take the place of a calibration with more labels')
    .option('--json', 'print one JSON document')
    .action(async (labels: string, flags: CalibrateFlags) => {
      const [{ calibrate }, { calibrationText }] = await Promise.all([
        import('../app/calibrate.ts'),
        import('../app/calibration/calibration-text.ts'),
      ]);
      const { run, seed, out, replace, json } = flags;
      const request = {
        labels,
        run,
        ...given({ seed, out, replace }),
      };
      const report = await calibrate(request, surroundings());
      process.stdout.write(json === true ? `${printableJson(report)}\n` : calibrationText(report));
      done(0);
    });
}

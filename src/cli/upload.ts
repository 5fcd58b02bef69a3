import { Command } from 'commander';

import { given } from '../lib/given.ts';
import { repeatable } from './option-values.ts';
import { surroundings } from './surroundings.ts';

interface UploadFlags {
  readonly line?: string;
  readonly tag?: readonly string[];
  readonly out?: string;
  readonly json?: boolean;
}

const ABOUT = `
The store gets a copy of each run: results, transcripts, frozen cases, and files of at most 64 MB each.
Upload a run again at any time, even while it is running: only what is new is sent.
`;

export function uploadCommand(done: (exitCode: number) => void): Command {
  return new Command('upload')
    .description('copy run directories into the store')
    .argument('<runs...>', 'run directories, run ids or their first characters, or latest')
    .option(
      '--line <name>',
      'series that the run belongs to, such as nightly; runs of one series are compared with each other (default: the names of its suites)',
    )
    .option('--tag <tag>', 'add a tag to the runs (repeatable)', repeatable)
    .option('--out <dir>', 'folder of stored runs (default .assay/runs)')
    .option('--json', 'print JSON')
    .addHelpText('after', ABOUT)
    .action(async (runs: readonly string[], flags: UploadFlags) => {
      const { uploadRuns, uploadText, uploadJson } = await import('../app/upload-run.ts');
      const { line, tag: tags = [], out, json } = flags;
      const uploaded = await uploadRuns({ runs, tags, ...given({ line, out }) }, surroundings());
      process.stdout.write(json === true ? uploadJson(uploaded) : uploadText(uploaded));
      done(0);
    });
}

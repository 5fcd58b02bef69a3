import { Command } from 'commander';

import type { ImportRequest } from '../app/import-promptfoo.ts';
import { surroundings } from './surroundings.ts';

interface InitFlags {
  readonly force?: boolean;
  readonly from?: string;
}

export function initCommand(done: (exitCode: number) => void): Command {
  return new Command('init')
    .description('create a config, an eval and an agent that run immediately')
    .argument('[folder]', 'folder to create the files in (default: this folder, or that of --from)')
    .option('--force', 'overwrite existing files')
    .option('--from <file>', 'convert a promptfoo config into a config and an eval')
    .action(async (folder: string | undefined, { force, from: file }: InitFlags) => {
      const mode = force === true ? 'overwrite' : 'keep';
      if (file !== undefined) return done(await convert({ file, folder, mode }));
      const { initProject } = await import('../app/init-project.ts');
      process.stdout.write(await initProject({ folder: folder ?? '.', mode }, surroundings()));
      done(0);
    });
}

/** Converts a config and checks the result. */
async function convert(request: ImportRequest): Promise<number> {
  const { importPromptfoo } = await import('../app/import-promptfoo.ts');
  const { validateSuites } = await import('../app/validate-suites.ts');
  const { text, suite, config } = await importPromptfoo(request, surroundings());
  process.stdout.write(text);
  const options = { patterns: [suite], targets: [], cases: [], config };
  const checked = await validateSuites(options, surroundings());
  process.stdout.write(`\n${checked.text}`);
  return checked.exitCode;
}

import { Command, InvalidArgumentError, Option } from 'commander';

import type { MatrixForm } from '../app/show/show-matrix.ts';
import { AssayError } from '../core/errors.ts';
import type { Verdict } from '../core/verdict.ts';
import { given } from '../lib/given.ts';
import { preferenceOf, withStoreOption } from './case-selector.ts';
import { repeatable } from './option-values.ts';
import { terminalScreen, verbosityOf, type ScreenOptions } from './screen.ts';
import { surroundings } from './surroundings.ts';

interface ShowFlags extends ScreenOptions {
  readonly trial?: string;
  readonly failed?: boolean;
  readonly matrix?: boolean;
  readonly graders?: boolean;
  readonly markdown?: boolean;
  readonly html?: string;
  readonly target?: readonly string[];
  readonly case?: readonly string[];
  readonly grader?: readonly string[];
  readonly verdict?: readonly Verdict[];
  readonly rebuild?: boolean;
  readonly out?: string;
  readonly json?: boolean;
  readonly stored?: boolean;
}

export function showCommand(done: (exitCode: number) => void): Command {
  const command = new Command('show')
    .description('show a stored run')
    .argument('[run]', 'run directory, run id or its first characters, or latest', 'latest')
    .option('--trial <key>', 'show one trial by key or case id: transcript, grades, evidence')
    .option('--failed', 'show only failed and errored trials, with the reasons')
    .option('--matrix', 'show cases against targets')
    .option('--graders', 'show how often each grader passed, for each target')
    .option('--markdown', 'with --matrix: print a table of Markdown')
    .option('--html <file>', 'with --matrix: write a page that opens the answers side by side')
    .option(
      '--target <name>',
      'show only trials of this target; * and ? are wildcards (repeatable)',
      repeatable,
    )
    .option('--case <id>', 'show only trials of this case; * and ? are wildcards (repeatable)', repeatable)
    .option(
      '--grader <name>',
      'show only trials with a grade of this name; with --failed: where it did not pass (repeatable)',
      repeatable,
    )
    .addOption(
      new Option(
        '--verdict <verdict>',
        `show only trials with this verdict: ${VERDICTS.join(', ')} (repeatable)`,
      ).argParser(verdicts),
    )
    .option('--rebuild', 'rebuild results.jsonl and results.json from the events')
    .option('--out <dir>', 'folder of stored runs (default .assay/runs)')
    .option('--json', 'print rows as JSON lines')
    .option('-v, --verbose', 'show every trial')
    .option('--no-color', 'print without colours');
  return withStoreOption(command).action(async (run: string, flags: ShowFlags) => {
    const { showRun } = await import('../app/show-run.ts');
    const around = surroundings(preferenceOf(flags));
    await showRun(
      {
        run,
        ...given({ trial: flags.trial, out: flags.out }),
        only: {
          targets: flags.target ?? [],
          cases: flags.case ?? [],
          graders: flags.grader ?? [],
          verdicts: flags.verdict ?? [],
          failed: flags.failed === true,
        },
        ...given({ matrix: matrixForm(flags), graders: flags.graders }),
        rebuild: flags.rebuild === true,
        form: flags.json === true ? 'json' : 'text',
        verbosity: verbosityOf(flags),
      },
      { screen: terminalScreen(flags, around.environment), surroundings: around },
    );
    done(0);
  });
}

const VERDICTS: readonly Verdict[] = ['passed', 'failed', 'errored', 'skipped', 'cancelled'];

function verdicts(value: string, previous: readonly Verdict[] = []): readonly Verdict[] {
  const verdict = VERDICTS.find((each) => each === value);
  if (verdict === undefined) throw new InvalidArgumentError(`Allowed values: ${VERDICTS.join(', ')}.`);
  return [...previous, verdict];
}

function matrixForm({ matrix, graders, markdown, html, json }: ShowFlags): MatrixForm | undefined {
  if (matrix === true && graders === true) throw usage('--matrix and --graders are different views');
  const [flag, ...more] = [
    ...(markdown === true ? ['--markdown'] : []),
    ...(html === undefined ? [] : ['--html']),
    ...(json === true && matrix === true ? ['--json'] : []),
  ];
  if (flag !== undefined && matrix !== true) throw usage(`${flag} needs --matrix`);
  if (more.length > 0) throw usage(`${flag} and ${more.join(', ')} are different forms`);
  if (html !== undefined) return { html };
  if (matrix !== true) return undefined;
  return json === true ? 'json' : markdown === true ? 'markdown' : 'text';
}

function usage(message: string): AssayError {
  const hint = 'use assay show RUN --matrix, with one of --json, --markdown and --html FILE';
  return new AssayError('usage', message, { stage: 'plan', hint });
}

import { Command, InvalidArgumentError, Option } from 'commander';

import { AssayError } from '../core/errors.ts';
import { given } from '../lib/given.ts';
import { preferenceOf } from './case-selector.ts';
import { fraction, innerFraction, wholeNumber } from './option-values.ts';
import { terminalScreen, verbosityOf, type ScreenOptions } from './screen.ts';
import { surroundings } from './surroundings.ts';
import { printableJson } from '../lib/text/printable-json.ts';

interface CompareFlags extends ScreenOptions {
  readonly on?: 'score' | 'passed';
  readonly margin: number;
  readonly alpha: number;
  readonly across: readonly ('case' | 'grader' | 'selection')[];
  readonly failOn: readonly string[];
  readonly maxErrored?: number;
  readonly selfCheck?: string;
  readonly by?: string;
  readonly base?: string;
  readonly out?: string;
  readonly json?: boolean;
  readonly stored?: boolean;
}

const ABOUT = `
Each side is a run (directory, id or its first characters, or latest) or RUN#TARGET. Cases are paired by suite and id.
Targets may differ. The comparison is invalid if cases or graders differ. It is also invalid if one run was
made with --failed from the other.

Exit codes: 0 improved, equivalent or inconclusive · 1 regressed · 2 not compared · 3 invalid
`;

export function compareCommand(done: (exitCode: number) => void): Command {
  return new Command('compare')
    .description('test whether one run is better or worse than another, and how certain that is')
    .argument('[base]', 'run to compare with')
    .argument('[candidate]', 'run to evaluate')
    .addOption(
      new Option(
        '--on <what>',
        'value to compare (default: "passed" if required graders decide most cases, otherwise "score")',
      ).choices(['score', 'passed']),
    )
    .option('--margin <x>', 'smallest difference that matters', fraction, 0.05)
    .option(
      '--alpha <x>',
      'accepted rate of false alarms: how often an unchanged agent may be called changed',
      innerFraction,
      0.05,
    )
    .addOption(
      new Option(
        '--across <what>',
        'compare although something differs. case: the cases; grader: the graders; selection: one run has only cases that failed in the other, because it was made with --failed (repeatable)',
      )
        .choices(['case', 'grader', 'selection'])
        .argParser(across)
        .default([], 'none'),
    )
    .addOption(
      new Option(
        '--fail-on <verdict>',
        'also exit with code 1 for this verdict: inconclusive, improved, equivalent or invalid; regressed always exits with 1 (repeatable)',
      )
        .argParser(verdicts)
        .default([], 'regressed'),
    )
    .option('--max-errored <n>', 'errored trials tolerated per side (default: as in each run)', wholeNumber)
    .option(
      '--self-check <run>',
      'split the repetitions of one run at random, to measure the rate of false alarms',
    )
    .option('--by <key>', 'compare the values of this key over all variants of one run, such as --by prompt')
    .option('--base <value>', 'with --by: value to compare the others with (default: the first)')
    .option('--out <dir>', 'folder of stored runs (default .assay/runs)')
    .option('--stored', 'look in the store first; `latest` is its newest run')
    .option('--json', 'print one JSON document')
    .option('-v, --verbose', 'show every case')
    .option('--no-color', 'print without colours')
    .addHelpText('after', ABOUT)
    .action(async (base: string | undefined, candidate: string | undefined, flags: CompareFlags) =>
      done(
        flags.selfCheck === undefined
          ? await compare(base, candidate, flags)
          : await checkItself(base, flags),
      ),
    );
}

async function compare(
  base: string | undefined,
  candidate: string | undefined,
  flags: CompareFlags,
): Promise<number> {
  if (flags.by === undefined && flags.base !== undefined) throw usage('--base needs --by');
  if (flags.by !== undefined && candidate !== undefined) throw usage('--by takes one run');
  if (base === undefined || (candidate === undefined && flags.by === undefined))
    throw usage('assay compare needs two runs');
  const { compareRuns, compareVariants, comparisonExitCode } = await import('../app/compare-runs.ts');
  const { showComparison } = await import('../app/compare/compare-stored.ts');
  const around = surroundings(preferenceOf(flags));
  const { on, margin, alpha, out, maxErrored } = flags;
  const settings = { ...given({ out, maxErrored }), options: { on, margin, alpha, across: flags.across } };
  const comparison =
    flags.by === undefined
      ? await compareRuns({ base, candidate: candidate ?? '', ...settings }, around)
      : await compareVariants(
          { run: base, by: flags.by, ...given({ baseValue: flags.base }), ...settings },
          around,
        );
  const screen = terminalScreen(flags, around.environment);
  if (flags.json === true) screen.write(`${printableJson(comparison)}\n`);
  else showComparison(comparison, screen, verbosityOf(flags));
  return comparisonExitCode(comparison, flags.failOn);
}

async function checkItself(surplus: string | undefined, flags: CompareFlags): Promise<number> {
  if (surplus !== undefined) throw usage('--self-check takes only one run');
  refuseOfTwo(flags);
  const { checkRunAgainstItself } = await import('../app/self-check-run.ts');
  const { selfCheck: run = '', on, margin, alpha, out } = flags;
  const form = flags.json === true ? 'json' : 'text';
  const request = {
    run,
    on: on ?? 'score',
    margin,
    alpha,
    form,
    ...given({ out }),
  } as const;
  process.stdout.write(await checkRunAgainstItself(request, surroundings()));
  return 0;
}

function refuseOfTwo({ across: differing, failOn, maxErrored, by, base: baseValue }: CompareFlags): void {
  if (by !== undefined || baseValue !== undefined)
    throw usage('--by and --base compare variants, but --self-check takes one run as it is');
  const supplied = [
    ...(differing.length === 0 ? [] : ['--across']),
    ...(failOn.length === 0 ? [] : ['--fail-on']),
    ...(maxErrored === undefined ? [] : ['--max-errored']),
  ];
  const [flag] = supplied;
  if (flag !== undefined) throw usage(`${flag} needs two runs, but --self-check takes one`);
}

function across(value: string, previous: readonly string[]): readonly string[] {
  return oneOf(value, previous, ['case', 'grader', 'selection']);
}

function verdicts(value: string, previous: readonly string[]): readonly string[] {
  return oneOf(value, previous, ['inconclusive', 'improved', 'equivalent', 'regressed', 'invalid']);
}

function oneOf(value: string, previous: readonly string[], known: readonly string[]): readonly string[] {
  if (!known.includes(value)) throw new InvalidArgumentError(`Allowed values: ${known.join(', ')}.`);
  return [...previous, value];
}

function usage(message: string): AssayError {
  const hint =
    'use assay compare BASE CANDIDATE, assay compare RUN --by KEY or assay compare --self-check RUN; assay runs lists all runs';
  return new AssayError('usage', message, { stage: 'plan', hint });
}

import { collectValues } from '../analysis/case-values.ts';
import { planSampleSize, type SamplePlan, type SampleSize } from '../analysis/sample-size.ts';
import { AssayError } from '../core/errors.ts';
import { findRun, nameOfRun } from '../storage/run-directory/find.ts';
import { openRunReader } from '../storage/run-directory/reader.ts';
import { loadProject } from './project/load-project.ts';
import { outputDirectory } from './project/output-directory.ts';
import type { RunOptions, Surroundings } from './run-options.ts';
import { plural } from '../lib/text/plural.ts';

export interface SampleSizeRequest {
  /** Files, folders or globs. */
  readonly suites: readonly string[];
  /** They are files of stored test cases. */
  readonly stored?: boolean;
  readonly select?: NonNullable<RunOptions['select']>;
  readonly detect: number;
  /** The run whose repetitions say how much answers vary. */
  readonly from: string;
  readonly on: 'score' | 'passed';
  readonly alpha: number;
  readonly out?: string;
  readonly config?: string;
  readonly form: 'text' | 'json';
}

/** How many cases and repetitions a comparison of two runs of these suites needs. */
export async function describeSampleSize(
  request: SampleSizeRequest,
  surroundings: Surroundings,
): Promise<string> {
  const { config, from, detect, alpha, stored, select } = request;
  const options = {
    patterns: request.suites,
    ...(config === undefined ? {} : { config }),
    ...(stored === undefined ? {} : { stored }),
    ...(select === undefined ? {} : { select }),
  };
  const { suites } = await loadProject({ options, surroundings });
  const cases = suites.reduce((sum, suite) => sum + suite.cases.length, 0);
  const ids = new Set(suites.map(({ id }) => id));
  const runs = await outputDirectory(request.out, surroundings);
  const found = findRun(from, runs, surroundings.cwd);
  const { paths, target } = found;
  const values = collectValues(request.on);
  for await (const row of openRunReader(paths).rows()) {
    if (ids.has(row.suite) && (target === undefined || row.target === target)) values.add(row);
  }
  const plan = planSampleSize(values.lists(), { detect, alpha, cases });
  if (plan === null) throw nothingMeasured(nameOfRun(found), [...ids]);
  return request.form === 'json'
    ? `${JSON.stringify({ detect, alpha, on: request.on, cases, ...plan })}\n`
    : textOf(plan, { detect, cases, from: nameOfRun(found) });
}

interface Asked {
  readonly detect: number;
  readonly cases: number;
  readonly from: string;
}

function textOf({ sizes, variance, isUpperBound }: SamplePlan, { detect, cases, from }: Asked): string {
  const bound = isUpperBound
    ? ', at most: it repeated no case, so differences between cases are counted in'
    : '';
  return [
    headline(sizes, { detect, cases }),
    '',
    '             a few cases change wholly             every case changes alike',
    'repetitions  cases  trials a side  yours can see   cases  yours can see',
    ...sizes.map(lineOf),
    '',
    `A change of ${points(detect)} is then found with 80 % chance. Repetitions of a case in ${from} vary by ${Number(Math.sqrt(variance).toFixed(3))} (standard deviation)${bound}.`,
    'Nobody knows beforehand how a change spreads: assay compare sees it in its pairs, and tells a number in between.',
    'More repetitions help only as far as answers vary; a change in a few cases is seen by having more cases.',
    '',
  ].join('\n');
}

/** Enough for any change; enough for one of all cases; or too few. */
function headline(sizes: SamplePlan['sizes'], { detect, cases }: Pick<Asked, 'detect' | 'cases'>): string {
  const each = ({ repetitions }: SampleSize) => `with ${plural(repetitions, 'repetition')} each`;
  const enough = sizes.find((size) => size.cases <= cases);
  if (enough !== undefined)
    return `${plural(cases, 'case')} ${each(enough)} are enough to see ${points(detect)}`;
  const most = sizes.at(-1);
  const wholly = `${most?.cases ?? 0} are needed even with ${most?.repetitions ?? 0} repetitions`;
  const alike = sizes.find((size) => size.casesIfAlike <= cases);
  return alike === undefined
    ? `${plural(cases, 'case')} are too few to see ${points(detect)}: ${wholly}`
    : `${plural(cases, 'case')} ${each(alike)} are enough to see ${points(detect)} if every case changes alike; if a few cases change wholly, ${wholly}`;
}

function lineOf(size: SampleSize): string {
  const { repetitions, cases, trials, casesIfAlike, smallestNow, smallestNowIfAlike } = size;
  const sees = (smallest: number | null) =>
    smallest === null ? 'nothing' : smallest === 0 ? 'any change' : points(smallest);
  return `${pad(repetitions, 11)}  ${pad(cases, 5)}  ${pad(trials, 13)}  ${sees(smallestNow).padEnd(14)}  ${pad(casesIfAlike, 5)}  ${sees(smallestNowIfAlike)}`;
}

function pad(number: number, width: number): string {
  return String(number).padStart(width);
}

function points(share: number): string {
  const shown = Number((share * 100).toFixed(1));
  return `${shown} ${shown === 1 ? 'point' : 'points'}`;
}

function nothingMeasured(run: string, suites: readonly string[]): AssayError {
  return new AssayError('nothing-measured', `${run} has no measured trial of ${suites.join(', ')}`, {
    stage: 'plan',
    hint: 'name a run of these suites, best one with --repeat 5: how much repetitions vary decides',
  });
}

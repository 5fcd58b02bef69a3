import { collectValues } from '../analysis/case-values.ts';
import { planSampleSize, type SamplePlan, type SampleSize } from '../analysis/sample-size.ts';
import { AssayError } from '../core/errors.ts';
import { nameOfRun, rowsOf } from '../core/run-store.ts';
import { given } from '../lib/given.ts';
import { loadProject } from './planning/load/load-project.ts';
import { openRuns } from './runs.ts';
import type { RunOptions } from '../core/run-options.ts';
import type { Surroundings } from './surroundings.ts';
import { plural } from '../lib/text/plural.ts';
import { printableLine } from '../lib/text/printable-json.ts';

export interface SampleSizeRequest extends Pick<RunOptions, 'stored' | 'select' | 'config'> {
  /** Files, folders or globs. */
  readonly suites: readonly string[];
  readonly detect: number;
  /** The run whose repetitions show how much answers vary. */
  readonly from: string;
  readonly on: 'score' | 'passed';
  readonly alpha: number;
  readonly out?: string;
  readonly form: 'text' | 'json';
}

/** Computes how many cases and repetitions a comparison of two runs of these suites needs. Returns text or JSON. */
export async function describeSampleSize(
  request: SampleSizeRequest,
  surroundings: Surroundings,
): Promise<string> {
  const { config, from, detect, alpha, stored, select } = request;
  const options = {
    patterns: request.suites,
    ...given({ config, stored, select }),
  };
  const { suites } = await loadProject({ options, surroundings });
  const cases = suites.reduce((sum, suite) => sum + suite.cases.length, 0);
  const ids = new Set(suites.map(({ id }) => id));
  const found = await (await openRuns(request.out, surroundings)).find(from);
  const values = collectValues(request.on);
  for await (const row of rowsOf(found)) if (ids.has(row.suite)) values.add(row);
  const plan = planSampleSize(values.lists(), { detect, alpha, cases });
  if (plan === null) throw nothingMeasured(nameOfRun(found), [...ids]);
  return request.form === 'json'
    ? printableLine({ detect, alpha, on: request.on, cases, ...plan })
    : textOf(plan, { detect, cases, from: nameOfRun(found) });
}

interface Asked {
  readonly detect: number;
  readonly cases: number;
  readonly from: string;
}

function textOf({ sizes, variance, isUpperBound }: SamplePlan, { detect, cases, from }: Asked): string {
  return [
    ...adviceOn(sizes, { detect, cases }),
    '',
    '             if it breaks some cases completely         if it affects every case a little',
    'repetitions  cases needed  trials  yours detect         cases needed  yours detect',
    ...sizes.map(lineOf),
    '',
    `With these numbers, assay compare detects a change of ${points(detect)} in 4 of 5 comparisons.`,
    'It is not known in advance how a change spreads over the cases. assay compare measures it.',
    varianceText({ variance, isUpperBound }, from),
    '',
  ].join('\n');
}

function varianceText(
  { variance, isUpperBound }: Pick<SamplePlan, 'variance' | 'isUpperBound'>,
  from: string,
): string {
  if (isUpperBound) {
    return `${from} has no repetitions, so these numbers are upper bounds. Use a run with --repeat 5 to get smaller ones.`;
  }
  if (variance === 0) {
    return `In ${from}, all repetitions of a case had the same result: more repetitions do not help, more cases do.`;
  }
  const spread = Number(Math.sqrt(variance).toFixed(3));
  return `In ${from}, repetitions of a case differ by ${spread} (standard deviation): more cases help more than more repetitions.`;
}

/** Advice: enough cases for any change, enough only for a change of all cases, or too few. */
function adviceOn(
  sizes: SamplePlan['sizes'],
  { detect, cases }: Pick<Asked, 'detect' | 'cases'>,
): readonly string[] {
  const change = `a change of ${points(detect)}`;
  const enough = sizes.find((size) => size.cases <= cases);
  if (enough !== undefined) {
    return [
      `Your ${plural(cases, 'case')} are enough to detect ${change}: run each of them ${timesText(enough)}.`,
    ];
  }
  const fewest = Math.min(...sizes.map((size) => size.cases));
  const least = sizes.find((size) => size.cases === fewest);
  const more = least === undefined ? '' : `${plural(least.cases, 'case')}, each run ${timesText(least)}`;
  const alike = sizes.find((size) => size.casesIfAlike <= cases);
  if (alike === undefined) {
    return [
      `Your ${plural(cases, 'case')} are too few to detect ${change}.`,
      `Use ${more}, or choose a larger change with --detect.`,
    ];
  }
  return [
    `Your ${plural(cases, 'case')}, each run ${timesText(alike)}, are enough to detect ${change} that affects every case a little.`,
    `To detect one that breaks some cases completely, use ${more}.`,
  ];
}

function timesText({ repetitions }: SampleSize): string {
  return repetitions === 1 ? 'once' : `${repetitions} times (--repeat ${repetitions})`;
}

function lineOf(size: SampleSize): string {
  const { repetitions, cases, trials, casesIfAlike, smallestNow, smallestNowIfAlike } = size;
  const sees = (smallest: number | null) =>
    smallest === null ? 'no change' : smallest === 0 ? 'any change' : points(smallest);
  return `${pad(repetitions, 11)}  ${pad(cases, 12)}  ${pad(trials, 6)}  ${sees(smallestNow).padEnd(19)}  ${pad(casesIfAlike, 12)}  ${sees(smallestNowIfAlike)}`;
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
    hint: 'name a run that measured these suites, if possible with --repeat 5; assay plan needs repetitions to see how much the results of one case vary',
  });
}

import { correctedRate } from '../../analysis/calibration.ts';
import { messageOf } from '../../core/errors.ts';
import type { RunReader } from '../../core/log.ts';
import type { Row } from '../../core/run.ts';
import { stripControls } from '../../lib/text/terminal-text.ts';
import { agreementText, calibrationsOf, whyNotCurrent } from '../../reading/calibration-state.ts';
import type { CalibrationState } from '../../reading/calibration-state.ts';
import { effectiveTrials } from '../../reading/effective-trials.ts';
import { judgeTally, summedRate, type Judged, type JudgeRate } from '../../reading/judge-tally.ts';
import type { Calibration } from '../../core/calibration.ts';
import { loadCalibration } from './calibration-file.ts';
import { rateLine } from './calibration-text.ts';

/** Collects pass rates of the graders that asked a model. Its memory does not grow with the trials. */
export interface JudgeRates {
  add(row: Row): void;
  /** One or two lines per grader about its reliability. Empty if no model was asked. */
  lines(projectRoot: string, digests: readonly string[]): readonly string[];
}

/** Most rates that are shown, because every expected outcome of every stored case has its own. */
const MOST_RATES = 20;

/** The rates of all trials of a run. */
export async function ratesOf(run: Pick<RunReader, 'rows'>): Promise<JudgeRates> {
  const rates = judgeRates();
  for await (const row of run.rows()) rates.add(row);
  return rates;
}

export function judgeRates(): JudgeRates {
  const tally = judgeTally();
  return {
    add: tally.add,
    lines: (projectRoot, digests) => {
      const judged = tally.judged();
      if (judged.length === 0) return [];
      let calibrations: readonly Calibration[];
      try {
        calibrations = loadCalibration(projectRoot);
      } catch (error) {
        return [`judges: ${messageOf(error)}`];
      }
      const shown = judged.slice(0, MOST_RATES);
      const more = judged.length - shown.length;
      const found = shown.flatMap((each) => statesOf(each, { calibrations, digests }));
      return [
        'judges:',
        ...found.flatMap(linesOf),
        ...uncalibrated(found.filter(({ state }) => state === 'missing')),
        ...(more > 0 ? [`  and ${more} more, each on its trials`] : []),
      ];
    },
  };
}

interface Known {
  readonly calibrations: readonly Calibration[];
  readonly digests: readonly string[];
}

type Found = CalibrationState & { readonly name: string; readonly rate: JudgeRate };

function statesOf(judged: Judged<number | undefined>, { calibrations, digests }: Known): readonly Found[] {
  const textOf = ({ digest }: { readonly digest: number | undefined }) =>
    digest === undefined ? undefined : digests[digest];
  return calibrationsOf(calibrations, judged, textOf).map((found) => ({
    ...found,
    rate: summedRate(found.digests.map(({ rate }) => rate)),
    name: stripControls(judged.expectation),
  }));
}

function counted({ name, rate }: Found): string {
  return `  ${name}: ${rate.hits}/${rate.trials} passed${undecided(rate)}`;
}

function undecided({ undecided: count }: JudgeRate): string {
  return count === 0 ? '' : `, ${count} could not be decided`;
}

/** Listed together, because a judge of conversations has about a dozen of them. */
function uncalibrated(found: readonly Found[]): readonly string[] {
  const [first, ...others] = found;
  if (first === undefined) return [];
  if (others.length === 0)
    return [`${counted(first)}; not calibrated (assay calibrate LABELS measures its reliability)`];
  const all = found.map(({ name, rate }) => `${name} ${rate.hits}/${rate.trials}${undecided(rate)}`);
  return [
    `  passed: ${all.join('; ')}`,
    '    these are not calibrated (assay calibrate LABELS measures their reliability)',
  ];
}

function linesOf(found: Found): readonly string[] {
  if (found.state === 'missing') return [];
  if (found.state !== 'current') return [`${counted(found)}; it ${whyNotCurrent(found)}`];
  const { calibration, name, rate } = found;
  const effective = effectiveTrials(rate);
  return [
    `  ${name}: ${rateLine(rate, correctedRate({ ...rate, effective }, calibration))}${undecided(rate)}`,
    `    ${agreementText(calibration)}`,
  ];
}

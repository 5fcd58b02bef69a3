import { correctedRate } from '../../analysis/calibration.ts';
import { messageOf } from '../../core/errors.ts';
import type { Grade } from '../../core/grade.ts';
import type { Row } from '../../core/run.ts';
import { stripControls } from '../../lib/text/terminal-text.ts';
import {
  calibrationsOf,
  loadCalibration,
  whyNotCurrent,
  type Calibration,
  type CalibrationState,
} from './calibration-file.ts';
import { agreementText, rateLine } from './calibration-text.ts';
import { effectiveTrials, squareBy } from './effective-trials.ts';

/** Collects pass rates of the graders that asked a model. Its memory does not grow with the trials. */
export interface JudgeRates {
  add(row: Row): void;
  /** One or two lines per grader about its reliability. Empty if no model was asked. */
  lines(projectRoot: string, digests: readonly string[]): readonly string[];
}

/** Most rates that are shown, because every expected outcome of every stored case has its own. */
const MOST_RATES = 20;

interface Rate {
  hits: number;
  trials: number;
  undecided: number;
  /** Sum of squared trial counts per case. Verdicts on one case are similar and count about once (Kish). */
  squares: number;
}

/** Rates by digest, because graders of one name may use several judges. */
type Rates = Map<number | undefined, Rate>;

export function judgeRates(): JudgeRates {
  const rates = new Map<string, Rates>();
  return {
    add: ({ grades, repetition }) => {
      for (const { name, score, passed, digest } of grades.filter(hasAskedModel)) {
        const named: Rates = rates.get(name) ?? new Map();
        rates.set(name, named);
        const rate = named.get(digest) ?? { hits: 0, trials: 0, undecided: 0, squares: 0 };
        named.set(digest, rate);
        if (score === null) rate.undecided += 1;
        else {
          rate.trials += 1;
          rate.squares += squareBy(repetition);
          if (passed) rate.hits += 1;
        }
      }
    },
    lines: (projectRoot, digests) => {
      if (rates.size === 0) return [];
      let calibrations: readonly Calibration[];
      try {
        calibrations = loadCalibration(projectRoot);
      } catch (error) {
        return [`judges: ${messageOf(error)}`];
      }
      const shown = [...rates].slice(0, MOST_RATES);
      const more = rates.size - shown.length;
      const found = shown.flatMap(([name, rate]) => statesOf(name, rate, { calibrations, digests }));
      return [
        'judges:',
        ...found.flatMap(linesOf),
        ...uncalibrated(found.filter(({ state }) => state === 'missing')),
        ...(more > 0 ? [`  and ${more} more, each on its trials`] : []),
      ];
    },
  };
}

/** Whether a model was asked for this grade. */
export function hasAskedModel({ model, failureCode }: Pick<Grade, 'model' | 'failureCode'>): boolean {
  return model !== undefined || failureCode?.startsWith('judge-') === true;
}

interface Known {
  readonly calibrations: readonly Calibration[];
  readonly digests: readonly string[];
}

type Found = CalibrationState & { readonly name: string; readonly rate: Rate };

function statesOf(name: string, rates: Rates, { calibrations, digests }: Known): readonly Found[] {
  const grader = { expectation: name, digests: [...rates.keys()] };
  const textOf = (digest: number | undefined) => (digest === undefined ? undefined : digests[digest]);
  return calibrationsOf(calibrations, grader, textOf).map((found) => {
    const rate = summed(found.digests.flatMap((digest) => rates.get(digest) ?? []));
    return { ...found, rate, name: stripControls(name) };
  });
}

function counted({ name, rate }: Found): string {
  return `  ${name}: ${rate.hits}/${rate.trials} passed${undecided(rate)}`;
}

function undecided({ undecided: count }: Rate): string {
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

function summed(rates: readonly Rate[]): Rate {
  const sum = (key: keyof Rate) => rates.reduce((total, rate) => total + rate[key], 0);
  return { hits: sum('hits'), trials: sum('trials'), undecided: sum('undecided'), squares: sum('squares') };
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

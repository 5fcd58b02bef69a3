import type { Calibration } from '../core/calibration.ts';
import { plural } from '../lib/text/plural.ts';
import { agreementText, calibrationsOf, whyNotCurrent, type CalibrationState } from './calibration-state.ts';
import { summedRate, type Judged, type JudgeRate } from './judge-tally.ts';

/** The calibrations of a project. `fault`: why they could not be read. */
export interface KnownCalibrations {
  readonly calibrations: readonly Calibration[];
  readonly fault?: string;
}

/** A grader that asks a model, and its agreement with people. */
export interface JudgeAgreement {
  readonly expectation: string;
  readonly models: readonly string[];
  readonly rate: JudgeRate;
  readonly state: CalibrationState['state'];
  /** The valid calibration, or an outdated one. */
  readonly calibration: Calibration | null;
  /** Such as `calibrated on 60 labels of 30 cases, kappa 0.71 [0.52, 0.86]`, or `not calibrated`. */
  readonly says: string;
}

export const NOT_CALIBRATED = 'not calibrated';

/** One entry per grader and calibration. A grader may use several judges. `digests`: sha-256 of each grader. */
export function judgeAgreements(
  judged: readonly Judged<string | undefined>[],
  { calibrations, fault }: KnownCalibrations,
): readonly JudgeAgreement[] {
  return judged.flatMap(({ expectation, digests }) =>
    calibrationsOf(calibrations, { expectation, digests }, ({ digest }) => digest).map((found) => ({
      expectation,
      models: [...new Set(found.digests.flatMap(({ models }) => models))],
      rate: summedRate(found.digests.map(({ rate }) => rate)),
      state: found.state,
      calibration: found.state === 'missing' ? null : found.calibration,
      says: fault ?? agreementWords(found),
    })),
  );
}

function agreementWords(found: CalibrationState): string {
  if (found.state === 'missing') return NOT_CALIBRATED;
  return found.state === 'current' ? agreementText(found.calibration) : whyNotCurrent(found);
}

/** The agreement of people with the judges behind a number. Null if no model judged. */
export interface Judging {
  /** Number of graders that asked a model. */
  readonly graders: number;
  /** Number of graders with a valid calibration for each of their judges. */
  readonly calibrated: number;
  readonly says: string;
}

/**
 * All graders in one line: that of the only one, or the number of calibrated ones and the range of their kappa.
 * `all`: number of all graders, if the agreements are those of the first ones.
 */
export function judgingOf(agreements: readonly JudgeAgreement[], all?: number): Judging | null {
  const [first] = agreements;
  if (first === undefined) return null;
  const names = new Set(agreements.map(({ expectation }) => expectation));
  const graders = all ?? names.size;
  const open = new Set(
    agreements.flatMap(({ state, expectation }) => (state === 'current' ? [] : expectation)),
  );
  const calibrated = names.size - open.size;
  const counts = { graders, calibrated };
  const isCut = graders > names.size;
  const saysOne = agreements.every(({ says }) => says === first.says);
  if (saysOne && !(isCut && first.state === 'current')) return { ...counts, says: first.says };
  const current = agreements.filter(({ state }) => state === 'current');
  if (current.length === 0) return { ...counts, says: NOT_CALIBRATED };
  const among = isCut ? `the first ${names.size} of ${graders}` : String(graders);
  const of = calibrated === graders ? plural(graders, 'grader') : `${calibrated} of ${among} graders`;
  return { ...counts, says: `${of} calibrated${kappasText(current)}` };
}

function kappasText(agreements: readonly JudgeAgreement[]): string {
  const values = agreements.flatMap(({ calibration }) => calibration?.kappa?.value ?? []);
  if (values.length === 0) return '';
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) =>
    String(Number(value.toFixed(2))),
  );
  return least === most ? `, kappa ${least}` : `, kappa ${least} to ${most}`;
}

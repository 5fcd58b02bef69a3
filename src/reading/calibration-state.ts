import type { Calibration } from '../core/calibration.ts';
import { plural } from '../lib/text/plural.ts';

/** The state of a calibration. A different model, endpoint, prompt or version makes it stale. */
export type CalibrationState =
  | {
      /** `unlabelled`: the calibration is valid for other cases of the run, but no answer of these cases was labelled. */
      readonly state: 'current' | 'stale' | 'unlabelled';
      readonly calibration: Calibration;
    }
  | { readonly state: 'missing' };

/** The state of a calibration, and the digests it applies to. */
export type KnownOf<Digest> = CalibrationState & { readonly digests: readonly Digest[] };

/** One entry per calibration. Graders of one name may use several judges. */
export function calibrationsOf<Digest>(
  calibrations: readonly Calibration[],
  grader: { readonly expectation: string; readonly digests: readonly Digest[] },
  textOf: (digest: Digest) => string | undefined,
): readonly KnownOf<Digest>[] {
  const same = calibrations.filter(({ expectation }) => expectation === grader.expectation);
  if (grader.digests.length === 0) return [{ ...unmatched(same, new Set()), digests: [] }];
  const groups = new Map<Calibration | undefined, Digest[]>();
  for (const digest of grader.digests) {
    const text = textOf(digest);
    const current = same.find(({ digests }) => text !== undefined && digests.includes(text));
    const own = groups.get(current) ?? [];
    groups.set(current, own);
    own.push(digest);
  }
  const matched = new Set([...groups.keys()].filter((calibration) => calibration !== undefined));
  return [...groups].map(([calibration, digests]) =>
    calibration === undefined
      ? { ...unmatched(same, matched), digests }
      : { state: 'current', calibration, digests },
  );
}

/** The state for digests without a calibration. Cases with their own rubric have their own digests. */
function unmatched(same: readonly Calibration[], matched: ReadonlySet<Calibration>): CalibrationState {
  const [first] = same;
  if (first === undefined) return { state: 'missing' };
  const stale = same.find((calibration) => !matched.has(calibration));
  return stale === undefined
    ? { state: 'unlabelled', calibration: first }
    : { state: 'stale', calibration: stale };
}

/** Why a calibration cannot be used. Follows the name of its grader. */
export function whyNotCurrent({
  state,
  calibration,
}: Exclude<CalibrationState, { state: 'missing' }>): string {
  if (state === 'unlabelled') {
    return 'is calibrated, but not for all of these cases: some have their own rubric or config and no labelled answer';
  }
  const own =
    calibration.digests.length > 1
      ? ', or label answers of these cases, which have their own rubric or config'
      : '';
  return `has a stale calibration: its judge, endpoint, prompt, config or version changed; calibrate it again${own}`;
}

/** `kappa 0.71 [0.52, 0.86]`. */
export function kappaText(kappa: Calibration['kappa']): string {
  return kappa === null ? 'kappa unknown' : `kappa ${round2(kappa.value)} ${between(kappa, round2)}`;
}

/** The basis and result of a calibration: `calibrated on 60 labels of 30 cases, kappa 0.71 [0.52, 0.86]`. */
export function agreementText({
  labels,
  cases,
  kappa,
  notEnough,
}: Pick<Calibration, 'labels' | 'cases' | 'kappa' | 'notEnough'>): string {
  const of = cases === undefined ? '' : ` of ${plural(cases, 'case')}`;
  const caution = notEnough === undefined ? '' : `, ${notEnough}`;
  return `calibrated on ${plural(labels, 'label')}${of}, ${kappaText(kappa)}${caution}`;
}

/** `[0.52, 0.86]`. */
export function between(
  { lower, upper }: { readonly lower: number; readonly upper: number },
  shown: (value: number) => string,
): string {
  return `[${shown(lower)}, ${shown(upper)}]`;
}

function round2(value: number): string {
  return String(Number(value.toFixed(2)));
}

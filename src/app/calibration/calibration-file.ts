import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as z from 'zod';

import { AssayError } from '../../core/errors.ts';
import { jsonIn } from '../../lib/text/json-in.ts';

const measured = z.object({ value: z.number(), lower: z.number(), upper: z.number() }).nullable();

const entry = z.object({
  /** Name of the expectation. */
  expectation: z.string(),
  type: z.string(),
  /** Name of the judge. Absent for graders without a judge. */
  judge: z.string().optional(),
  promptDigest: z.string().optional(),
  /** Digests (sha-256) of the graders whose verdicts were labelled. */
  digests: z.array(z.string()),
  runId: z.string(),
  seed: z.number(),
  calibratedAt: z.string(),
  by: z.array(z.string()),
  /** Labels of this grader in both halves. */
  labels: z.number(),
  /** Labelled cases in both halves. Absent in calibrations of older versions, which gates do not accept. */
  cases: z.number().optional(),
  /** Labels in the reported half. */
  pairs: z.number(),
  /** Effective number of independent verdicts in that half, by verdict of the people. */
  effective: z.object({ passed: z.number(), failed: z.number() }).optional(),
  truePasses: z.number(),
  falsePasses: z.number(),
  trueFails: z.number(),
  falseFails: z.number(),
  sensitivity: measured,
  specificity: measured,
  kappa: measured,
  /** Why a gate must not use it. Absent: a gate may use it. */
  notEnough: z.string().optional(),
});

/** The agreement of one grader with people, as saved in the project. */
export type Calibration = z.infer<typeof entry>;

const calibrationFile = z.object({ formatVersion: z.literal(1), graders: z.array(entry) });

/** Lies next to the config, so that both are versioned together. */
export const CALIBRATION_FILE = 'assay.calibration.json';

/** The calibrations of a project; empty before the first one. Throws `calibration-unreadable`. */
export function loadCalibration(projectRoot: string): readonly Calibration[] {
  const path = join(projectRoot, CALIBRATION_FILE);
  if (!existsSync(path)) return [];
  const read = calibrationFile.safeParse(jsonIn(readFileSync(path, 'utf8')));
  if (read.success) return read.data.graders;
  throw new AssayError('calibration-unreadable', `${path} is not a valid calibration file`, {
    stage: 'plan',
    hint: 'restore it from version control, or remove it and run assay calibrate again',
  });
}

/** Replaces the calibrations of the same graders and keeps the others. Returns the path. */
export function saveCalibration(projectRoot: string, fresh: readonly Calibration[]): string {
  const path = join(projectRoot, CALIBRATION_FILE);
  const replaced = new Set(fresh.map(instrumentOf));
  const kept = loadCalibration(projectRoot).filter((old) => !replaced.has(instrumentOf(old)));
  const graders = [...kept, ...fresh].toSorted((one, other) =>
    instrumentOf(one) < instrumentOf(other) ? -1 : 1,
  );
  writeFileSync(path, `${JSON.stringify({ formatVersion: 1, graders }, undefined, 2)}\n`);
  return path;
}

/** Identifies what a calibration is about: the expectation, its judge and its prompt. */
export function instrumentOf({
  expectation,
  type,
  judge = '',
  promptDigest = '',
}: Pick<Calibration, 'expectation' | 'type' | 'judge' | 'promptDigest'>): string {
  return [expectation, type, judge, promptDigest].join('\n');
}

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
    groups.set(current, [...(groups.get(current) ?? []), digest]);
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
  const left = same.find((calibration) => !matched.has(calibration));
  return left === undefined
    ? { state: 'unlabelled', calibration: first }
    : { state: 'stale', calibration: left };
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

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
  /** Name of the judge; absent for graders that ask none. */
  judge: z.string().optional(),
  promptDigest: z.string().optional(),
  /** sha-256 of the graders whose verdicts were labelled. */
  digests: z.array(z.string()),
  runId: z.string(),
  seed: z.number(),
  calibratedAt: z.string(),
  by: z.array(z.string()),
  /** Of this grader, both halves. */
  labels: z.number(),
  /** That the labels are of, both halves; absent where an older version calibrated, and no gate rests on it. */
  cases: z.number().optional(),
  /** The half that is reported. */
  pairs: z.number(),
  /** Independent verdicts that the half is worth, of what people passed and failed. */
  effective: z.object({ passed: z.number(), failed: z.number() }).optional(),
  truePasses: z.number(),
  falsePasses: z.number(),
  trueFails: z.number(),
  falseFails: z.number(),
  sensitivity: measured,
  specificity: measured,
  kappa: measured,
  /** Why a gate may not rest on it; absent: it may. */
  notEnough: z.string().optional(),
});

/** How far one grader agrees with people, as it is kept in the project. */
export type Calibration = z.infer<typeof entry>;

const calibrationFile = z.object({ formatVersion: z.literal(1), graders: z.array(entry) });

/** Beside the config, so that it is versioned with what it is about. */
export const CALIBRATION_FILE = 'assay.calibration.json';

/** The calibrations of a project; none where nobody has calibrated yet. */
export function loadCalibration(projectRoot: string): readonly Calibration[] {
  const path = join(projectRoot, CALIBRATION_FILE);
  if (!existsSync(path)) return [];
  const read = calibrationFile.safeParse(jsonIn(readFileSync(path, 'utf8')));
  if (read.success) return read.data.graders;
  throw new AssayError('calibration-unreadable', `${path} is not as assay calibrate writes it`, {
    stage: 'plan',
    hint: 'take it back from version control, or remove it and run assay calibrate again',
  });
}

/** Replaces what is known of the same graders and keeps the rest. Gives the path. */
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

/** What a calibration is about: the expectation, and who decides it with which prompt. */
export function instrumentOf({
  expectation,
  type,
  judge = '',
  promptDigest = '',
}: Pick<Calibration, 'expectation' | 'type' | 'judge' | 'promptDigest'>): string {
  return [expectation, type, judge, promptDigest].join('\n');
}

/** What is known of a grader by its digest: another model, endpoint, prompt or version makes a calibration stale. */
export type CalibrationState =
  | {
      /** `unlabelled`: the calibration holds for other cases of the run, and no answer of these was labelled. */
      readonly state: 'current' | 'stale' | 'unlabelled';
      readonly calibration: Calibration;
    }
  | { readonly state: 'missing' };

/** A calibration, or the want of one, and the digests it holds for. */
export type KnownOf<Digest> = CalibrationState & { readonly digests: readonly Digest[] };

/** One entry for each calibration: graders of one name may ask several judges. */
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

/** What is known of digests that no calibration holds for: cases with a rubric of their own have digests of their own. */
function unmatched(same: readonly Calibration[], matched: ReadonlySet<Calibration>): CalibrationState {
  const [first] = same;
  if (first === undefined) return { state: 'missing' };
  const left = same.find((calibration) => !matched.has(calibration));
  return left === undefined
    ? { state: 'unlabelled', calibration: first }
    : { state: 'stale', calibration: left };
}

/** Why a calibration does not hold, after the name of its grader. */
export function whyNotCurrent({
  state,
  calibration,
}: Exclude<CalibrationState, { state: 'missing' }>): string {
  if (state === 'unlabelled') {
    return 'is calibrated, but not for all of these cases: some have their own rubric or config, and none of their answers is labelled';
  }
  const own =
    calibration.digests.length > 1
      ? ', or label answers of these cases, which have their own rubric or config'
      : '';
  return `has a stale calibration: its judge, endpoint, prompt, config or version changed; calibrate it again${own}`;
}

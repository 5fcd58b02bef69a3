import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as z from 'zod';

import { calibration, type Calibration } from '../../core/calibration.ts';
import { AssayError } from '../../core/errors.ts';
import { jsonIn } from '../../lib/text/json-in.ts';

const calibrationFile = z.object({ formatVersion: z.literal(1), graders: z.array(calibration) });

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

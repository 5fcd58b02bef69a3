import { messageOf } from '../../core/errors.ts';
import type { Grade } from '../../core/grade.ts';
import {
  calibrationsOf,
  loadCalibration,
  whyNotCurrent,
  type Calibration,
} from '../calibration/calibration-file.ts';
import { agreementText } from '../calibration/calibration-text.ts';
import { hasAskedModel } from '../calibration/judge-rates.ts';

/** The agreement of people with the judge of one grade. */
export interface JudgeNote {
  readonly grade: string;
  readonly model: string | null;
  readonly says: string;
}

/** One note per grade that a model decided. */
export function judgeNotes(
  grades: readonly Grade[],
  run: { readonly projectRoot: string; readonly digests: readonly string[] },
): readonly JudgeNote[] {
  const judged = grades.filter(hasAskedModel);
  if (judged.length === 0) return [];
  const noteOf = noteBy(run.projectRoot);
  return judged.map(({ name, model = null, digest }) => ({
    grade: name,
    model,
    says: noteOf(name, digest === undefined ? undefined : run.digests[digest]),
  }));
}

function noteBy(projectRoot: string): (expectation: string, digest: string | undefined) => string {
  let calibrations: readonly Calibration[];
  try {
    calibrations = loadCalibration(projectRoot);
  } catch (error) {
    return () => messageOf(error);
  }
  return (expectation, digest) => {
    const digests = digest === undefined ? [] : [digest];
    const [found] = calibrationsOf(calibrations, { expectation, digests }, (text) => text);
    if (found === undefined || found.state === 'missing') return 'not calibrated';
    return found.state === 'current' ? agreementText(found.calibration) : whyNotCurrent(found);
  };
}

import { AssayError } from '../../core/errors.ts';
import { plural } from '../../lib/text/plural.ts';
import type { Calibration } from '../../core/calibration.ts';
import { CALIBRATION_FILE, instrumentOf, loadCalibration } from './calibration-file.ts';

/** Throws where what is known of a grader would give way to something that rests on fewer labels, or on labels of fewer cases. */
export function refuseSmaller(projectRoot: string, fresh: readonly Calibration[]): void {
  const known = new Map(loadCalibration(projectRoot).map((old) => [instrumentOf(old), old]));
  const shrunk = fresh.flatMap((calibration) => {
    const { expectation, labels, cases = 0 } = calibration;
    const before = known.get(instrumentOf(calibration));
    if (before === undefined) return [];
    if (before.labels > labels) {
      return [`${expectation} rests on ${plural(before.labels, 'label')}, now on ${labels}`];
    }
    const casesBefore = before.cases ?? 0;
    return casesBefore > cases
      ? [`${expectation} rests on labels of ${plural(casesBefore, 'case')}, now of ${cases}`]
      : [];
  });
  if (shrunk.length === 0) return;
  throw new AssayError(
    'calibration-smaller',
    `${CALIBRATION_FILE} would lose labels, and was left as it is: ${shrunk.join('; ')}`,
    {
      stage: 'plan',
      hint: 'give all labels in one file, or say --replace to keep only the new ones',
    },
  );
}

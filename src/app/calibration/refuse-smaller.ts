import { AssayError } from '../../core/errors.ts';
import { plural } from '../../lib/text/plural.ts';
import { CALIBRATION_FILE, instrumentOf, loadCalibration, type Calibration } from './calibration-file.ts';

/** Throws where what is known of a grader would give way to something that rests on fewer labels. */
export function refuseSmaller(projectRoot: string, fresh: readonly Calibration[]): void {
  const known = new Map(loadCalibration(projectRoot).map((old) => [instrumentOf(old), old]));
  const shrunk = fresh.flatMap((calibration) => {
    const { expectation, labels } = calibration;
    const before = known.get(instrumentOf(calibration))?.labels ?? 0;
    return before > labels ? [`${expectation} rests on ${plural(before, 'label')}, now on ${labels}`] : [];
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

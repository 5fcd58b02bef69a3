import { AssayError } from '../../core/errors.ts';
import { plural } from '../../lib/text/plural.ts';
import type { Calibration } from '../../core/calibration.ts';
import { CALIBRATION_FILE, instrumentOf, loadCalibration } from './calibration-file.ts';

/** Throws if a calibration would be replaced by one with fewer labels, or with labels of fewer cases. */
export function refuseSmaller(projectRoot: string, fresh: readonly Calibration[]): void {
  const known = new Map(loadCalibration(projectRoot).map((old) => [instrumentOf(old), old]));
  const shrunk = fresh.flatMap((calibration) => {
    const { expectation, labels, cases = 0 } = calibration;
    const before = known.get(instrumentOf(calibration));
    if (before === undefined) return [];
    if (before.labels > labels) {
      return [`${expectation} has ${plural(before.labels, 'label')}, the new one ${labels}`];
    }
    const casesBefore = before.cases ?? 0;
    return casesBefore > cases
      ? [`${expectation} has labels of ${plural(casesBefore, 'case')}, the new one of ${cases}`]
      : [];
  });
  if (shrunk.length === 0) return;
  throw new AssayError(
    'calibration-smaller',
    `${CALIBRATION_FILE} was not changed, because it would lose labels: ${shrunk.join('; ')}`,
    {
      stage: 'plan',
      hint: 'give all labels in one file, or add --replace to keep only the new ones',
    },
  );
}

import type { KappaOf, KnownKappa } from '../../analysis/gate-kappa.ts';
import { stripControls } from '../../lib/text/terminal-text.ts';
import { calibrationsOf, whyNotCurrent, type CalibrationState } from '../../reading/calibration-state.ts';
import { loadCalibration } from '../calibration/calibration-file.ts';

/** Finds the calibrated agreement of graders in a project. `digests`: the digests that their numbers refer to. */
export function calibratedKappa(projectRoot: string, digests: readonly string[]): KappaOf {
  const calibrations = loadCalibration(projectRoot);
  return (expectation, numbers) =>
    calibrationsOf(calibrations, { expectation, digests: numbers }, (number) => digests[number]).map(
      (found) => knownKappa(stripControls(expectation), found),
    );
}

function knownKappa(name: string, found: CalibrationState): KnownKappa {
  const unusable = (why: string) => ({ expectation: name, unusable: `${name} ${why}` });
  if (found.state === 'missing') return unusable('is not calibrated');
  if (found.state !== 'current') return unusable(whyNotCurrent(found));
  const { notEnough, kappa, cases } = found.calibration;
  if (cases === undefined) {
    return unusable('was calibrated by an older version of assay: calibrate it again');
  }
  if (notEnough !== undefined) return unusable(`is not calibrated well enough: ${notEnough}`);
  if (kappa === null) return unusable('has a calibration without kappa');
  return { expectation: name, kappa: kappa.value };
}

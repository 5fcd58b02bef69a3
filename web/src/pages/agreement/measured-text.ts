import type { Calibration } from '../../../../src/core/calibration.ts';

/** A number with its interval. `scale` 100: as per cent. */
export function measuredText(measured: Calibration['kappa'], scale: 1 | 100): string {
  if (measured === null) return 'not known yet';
  const [value, lower, upper] = [measured.value, measured.lower, measured.upper].map((each) =>
    scale === 1 ? each.toFixed(2) : `${Math.round(each * scale)} %`,
  );
  return `${value} [${lower}, ${upper}]`;
}

import type { Corrected, Measured } from '../../analysis/calibration.ts';
import { plural } from '../../lib/text/plural.ts';
import { stripControls } from '../../lib/text/terminal-text.ts';
import type { CalibratedGrader, CalibrationReport, Disagreement } from '../calibrate.ts';

/** The report as people read it. */
export function calibrationText(report: CalibrationReport): string {
  const { graders, unused, file } = report;
  const left = Object.entries(unused).map(
    ([reason, times]) => `not used: ${times} ${times === 1 ? 'label' : 'labels'} ${reason}`,
  );
  return `${[...graders.flatMap(graderLines), ...left, `kept in ${file}`].join('\n')}\n`;
}

/** `70/100 = 70 % [60.4, 78.1], corrected 71.4 % [55.2, 85.1]`. */
export function rateLine(
  found: { readonly hits: number; readonly trials: number },
  rate: Corrected | null,
): string {
  const { hits, trials } = found;
  const observed = `${hits}/${trials} = ${percent(trials === 0 ? 0 : hits / trials)} %`;
  if (rate === null) return `${observed}, and cannot be corrected: the grader does not tell good from bad`;
  return `${observed} ${between(rate.observedInterval, percent)}, corrected ${percent(rate.value)} % ${between(rate, percent)}`;
}

/** `kappa 0.71 [0.52, 0.86]`. */
export function kappaText(kappa: Measured | null): string {
  return kappa === null ? 'kappa unknown' : `kappa ${round2(kappa.value)} ${between(kappa, round2)}`;
}

function graderLines({ calibration, disagreements, rate }: CalibratedGrader): readonly string[] {
  const {
    expectation,
    type,
    judge,
    labels,
    cases = 0,
    pairs,
    sensitivity,
    specificity,
    kappa,
    notEnough,
  } = calibration;
  const who = judge === undefined ? type : `${type} by ${judge}`;
  const observed =
    rate === null
      ? []
      : [
          `  pass rate of the run: ${percent(rate.observed)} % ${between(rate.observedInterval, percent)}, corrected ${percent(rate.value)} % ${between(rate, percent)}`,
        ];
  return [
    stripControls(
      `${expectation} (${who}): ${plural(labels, 'label')} of ${plural(cases, 'case')}, ${pairs} of them held out`,
    ),
    `  sensitivity  ${shareText(sensitivity)}  of what people passed, it passed`,
    `  specificity  ${shareText(specificity)}  of what people failed, it failed`,
    `  ${kappaText(kappa)}`,
    ...(notEnough === undefined ? [] : [`  not enough for a gate: ${notEnough}`]),
    ...observed,
    ...(disagreements.length === 0
      ? ['  no disagreements']
      : ['  disagreements to read:', ...disagreements.flatMap(disagreementLines)]),
    '',
  ];
}

function disagreementLines({ key, person, by, note, score, reason }: Disagreement): readonly string[] {
  const noted = note === undefined ? '' : `: ${note}`;
  return [
    stripControls(`    ${key}`),
    stripControls(`      ${by} says ${person}${noted}`),
    stripControls(`      the grader says ${score}: ${reason.split('\n')[0] ?? ''}`),
  ];
}

function shareText(measured: Measured | null): string {
  return measured === null ? 'unknown' : `${percent(measured.value)} % ${between(measured, percent)}`;
}

function between(
  { lower, upper }: { readonly lower: number; readonly upper: number },
  shown: (value: number) => string,
): string {
  return `[${shown(lower)}, ${shown(upper)}]`;
}

function percent(value: number): string {
  return String(Number((value * 100).toFixed(1)));
}

function round2(value: number): string {
  return String(Number(value.toFixed(2)));
}

import type { Corrected, Measured } from '../../analysis/calibration.ts';
import { plural } from '../../lib/text/plural.ts';
import { stripControls } from '../../lib/text/terminal-text.ts';
import { between, kappaText } from '../../reading/calibration-state.ts';
import type { CalibratedGrader, Disagreement, RunAgreement } from './agreement-of-run.ts';

export interface CalibrationReport extends RunAgreement {
  /** Where the calibrations are kept. */
  readonly file: string;
}

export function calibrationText(report: CalibrationReport): string {
  const { graders, unused, file } = report;
  const unusedLines = Object.entries(unused).map(
    ([reason, times]) => `not used: ${times} ${times === 1 ? 'label' : 'labels'} ${reason}`,
  );
  return `${[...graders.flatMap(graderLines), ...unusedLines, `kept in ${file}`].join('\n')}\n`;
}

/** `70/100 = 70 % [60.4, 78.1], corrected 71.4 % [55.2, 85.1]`. */
export function rateLine(
  found: { readonly hits: number; readonly trials: number },
  rate: Corrected | null,
): string {
  const { hits, trials } = found;
  const observed = `${hits}/${trials} = ${percent(trials === 0 ? 0 : hits / trials)} %`;
  if (rate === null) return `${observed}, cannot be corrected: the grader does not tell good from bad`;
  return `${observed} ${between(rate.observedInterval, percent)}, corrected ${percent(rate.value)} % ${between(rate, percent)}`;
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
      `${expectation} (${who}): ${plural(labels, 'label')} of ${plural(cases, 'case')}, measured on ${pairs} of them`,
    ),
    sensitivity === null
      ? '  sensitivity unknown: no measured answer is labelled "passed"'
      : `  passes ${shareText(sensitivity)} of the answers that people passed (sensitivity)`,
    specificity === null
      ? '  specificity unknown: no measured answer is labelled "failed"'
      : `  fails  ${shareText(specificity)} of the answers that people failed (specificity)`,
    `  agreement beyond chance: ${kappaText(kappa)} (0 = guessing, 1 = perfect)`,
    ...(notEnough === undefined ? [] : [`  not enough for a gate: ${notEnough}`]),
    ...observed,
    ...nextSteps(calibration).map((step) => `  next: ${step}`),
    ...(disagreements.length === 0
      ? ['  no disagreements']
      : ['  disagreements to review:', ...disagreements.flatMap(disagreementLines)]),
    '',
  ];
}

/** With fewer measured labels of one verdict, its share is unreliable. */
const FEW_OF_A_CLASS = 5;

const GOOD_KAPPA = 0.6;

function nextSteps(calibration: CalibratedGrader['calibration']): readonly string[] {
  const { truePasses, falsePasses, trueFails, falseFails, pairs, kappa, notEnough } = calibration;
  const [passed, failed] = [truePasses + falseFails, trueFails + falsePasses];
  const few = [
    ...(failed < FEW_OF_A_CLASS ? [`add answers that fail: ${ofPairs(failed, pairs, 'failed')}`] : []),
    ...(passed < FEW_OF_A_CLASS ? [`add answers that pass: ${ofPairs(passed, pairs, 'passed')}`] : []),
  ];
  if (few.length > 0) return few;
  if (notEnough !== undefined) return ['label more answers, of more cases, and calibrate again'];
  return kappa !== null && kappa.value >= GOOD_KAPPA
    ? ["commit the file; --gate 'calibration.kappa >= 0.6' can use it"]
    : ['review the disagreements, improve the prompt or the judge, and calibrate again'];
}

function ofPairs(count: number, pairs: number, verdict: string): string {
  return `${count === 0 ? '' : 'only '}${count} of ${plural(pairs, 'measured label')} ${count === 1 ? 'is' : 'are'} "${verdict}"`;
}

function disagreementLines({ key, person, by, note, score, reason }: Disagreement): readonly string[] {
  const remark = note === undefined ? '' : `: ${note}`;
  return [
    stripControls(`    ${key}`),
    stripControls(`      ${by} says ${person}${remark}`),
    stripControls(`      the grader says ${score}: ${reason.split('\n')[0] ?? ''}`),
  ];
}

function shareText(measured: Measured): string {
  return `${percent(measured.value)} % ${between(measured, percent)}`;
}

function percent(value: number): string {
  return String(Number((value * 100).toFixed(1)));
}

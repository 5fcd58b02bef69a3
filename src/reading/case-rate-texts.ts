import { plural } from '../lib/text/plural.ts';
import { oneLine } from '../lib/text/terminal-text.ts';
import type { CaseRates, GroupRate } from './case-rates.ts';
import { percentText, ratioText } from './phrases.ts';

/** Notes on a rate: how repetitions count, how many cases are flaky, and the rates of stored cases. */
export function caseRateTexts(rates: CaseRates): readonly string[] {
  return [...onceTexts(rates), ...flakeTexts(rates), ...storedTexts(rates)];
}

function onceTexts({ eachCaseOnce }: CaseRates): readonly string[] {
  if (eachCaseOnce === undefined) return [];
  const { passed, measured } = eachCaseOnce.passRate;
  return [
    `cases have different numbers of repetitions, so each case counts once in pass rate and average score (${passed} of ${plural(measured, 'trial')} passed)`,
  ];
}

/** More repetitions find more flaky cases, so there is one rate per number of repetitions. */
function flakeTexts({ flakeRates = [] }: CaseRates): readonly string[] {
  if (flakeRates.every(({ flaky }) => flaky === 0)) return [];
  const groups = flakeRates.map(
    ({ flaky, cases, repetitions, value }) =>
      `${flaky} of ${plural(cases, 'case')} with ${repetitions} repetitions (${percentText(value)})`,
  );
  return [`flaky: ${groups.join(', ')}`];
}

function storedTexts({ casePassRate, weightedPassRate, byDifficulty, byTag }: CaseRates): readonly string[] {
  // Only stored cases have a difficulty.
  if (byDifficulty === undefined) return [];
  const { normal, hard } = weightedPassRate?.weights ?? {};
  const cases = plural(casePassRate.cases, 'case');
  const weighed =
    weightedPassRate === undefined
      ? ''
      : `, ${percentText(weightedPassRate.value)} weighted by difficulty (normal ${normal}, hard ${hard})`;
  return [
    ...(casePassRate.cases === 0 ? [] : [`over ${cases}: ${percentText(casePassRate.value)}${weighed}`]),
    `by difficulty: ${groupsText(byDifficulty)}`,
    ...(byTag === undefined ? [] : [`by tag: ${groupsText(byTag)}`]),
  ];
}

const MOST_GROUPS = 12;

function groupsText(groups: Readonly<Record<string, GroupRate>>): string {
  const all = Object.entries(groups);
  const shown = all
    .slice(0, MOST_GROUPS)
    .map(([name, { passRate: rate }]) =>
      rate.measured === 0
        ? `${oneLine(name, 60)} nothing measured`
        : `${oneLine(name, 60)} ${ratioText(rate)}`,
    );
  const more = all.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

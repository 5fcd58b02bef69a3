import { plural } from '../lib/text/plural.ts';
import type { Evidence, Grade } from '../core/grade.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Attached, Row } from '../core/run.ts';
import { STORED_SUITE, type ScoreScale } from '../core/test-case.ts';
import type { RunNotes } from './run-view.ts';
import type { PassRate } from './totals.ts';
import type { Spread } from '../lib/spread.ts';
import type { Interval } from '../lib/wilson.ts';
import type { Cost, Spender } from '../core/usage.ts';

/** Phrases that all reports share. */

/** A case as people know it: `Refund (0f8c...)`, or only its id. */
export function caseText({ caseId, caseName }: Pick<Row, 'caseId' | 'caseName'>): string {
  return caseName === undefined ? caseId : `${caseName} (${caseId})`;
}

/** Whether a trial needs attention: failed, errored or unexpectedly passed, but not an expected failure. */
export function needsAttention(row: Row): boolean {
  return row.status === 'failed' || row.status === 'errored' || row.status === 'unexpected-passed';
}

/** `18/20`. */
export function shareText(rate: Pick<PassRate, 'passed' | 'measured'>): string {
  return `${rate.passed}/${rate.measured}`;
}

type Counted = Pick<PassRate, 'value' | 'passed' | 'measured' | 'meanOfCases'>;

/** `18/20 = 90 %`, or, if each case counts once, `16.7 % over 6 cases`. */
export function ratioText(rate: Counted): string {
  const percent = percentText(rate.value);
  if (rate.meanOfCases === undefined) return `${shareText(rate)} = ${percent}`;
  return `${percent} over ${plural(rate.meanOfCases, 'case')}`;
}

/** `90.0 %`, or `-` when nothing was measured. */
export function percentText(value: number | null): string {
  return value === null ? '-' : `${Number((value * 100).toFixed(1))} %`;
}

/** `[69.9, 97.2]`, in percent. */
export function intervalText(interval: Interval | null): string {
  if (interval === null) return '';
  const percent = (value: number) => String(Number((value * 100).toFixed(1)));
  return `[${percent(interval.lower)}, ${percent(interval.upper)}]`;
}

/** The range of the rate if the errored trials had been measured. Undefined if no trial errored. */
export function boundsText(rate: PassRate, errored: number): string | undefined {
  if (errored === 0 || rate.ifErroredFailed === null || rate.ifErroredPassed === null) return undefined;
  const range = `${percentText(rate.ifErroredFailed)} if all failed, ${percentText(rate.ifErroredPassed)} if all passed`;
  return `${plural(errored, 'errored trial')} not measured: the rate would be ${range}`;
}

/** About stored cases of a plan that have no expectation of their own. */
export function expectingNothingText(cases: number): string {
  const have = cases === 1 ? '1 case has' : `${cases} cases have`;
  return `${have} no expected outcome: only the checks and scores for all cases decide`;
}

/** About stored cases of a plan whose expected outcomes are not judged. */
export function leavingOutcomesText(cases: number): string {
  const have = cases === 1 ? '1 case has' : `${cases} cases have`;
  return `${have} expected outcomes that are not judged in this run: only the other checks decide`;
}

/** An unknown cost is shown as unknown, never as $0. `-` if nothing was spent, such as with a mock. */
export function costText(cost: Cost): string {
  if (cost.known === 0) return cost.unknown === 0 ? '-' : 'unknown';
  const known = usdText(cost.knownUsd);
  return cost.unknown === 0 ? known : `at least ${known}, ${cost.unknown} unknown`;
}

/** The costs of one trial, in the shape of those of many. */
export function rowCosts({ costUsd }: Row): Readonly<Record<Spender, Cost>> {
  const of = (usd: number | null | undefined): Cost => ({
    knownUsd: usd ?? 0,
    known: typeof usd === 'number' ? 1 : 0,
    unknown: usd === null ? 1 : 0,
  });
  return { agent: of(costUsd.agent), user: of(costUsd.user), judge: of(costUsd.judge) };
}

/** `$0.02`, or `agent $0.02, judges $0.3`. Costs of judges are never added to the agent's. Undefined if nothing was spent. */
export function costsText(costs: Readonly<Record<Spender, Cost>>): string | undefined {
  const spent = SPENDER_WORDS.filter(([spender]) => costs[spender].known + costs[spender].unknown > 0);
  if (spent.length === 0) return undefined;
  if (spent.length === 1 && spent[0]?.[0] === 'agent') return costText(costs.agent);
  return spent.map(([spender, word]) => `${word} ${costText(costs[spender])}`).join(', ');
}

/** The spenders, in the order of the reports. */
export const SPENDER_WORDS: readonly (readonly [spender: Spender, word: string])[] = [
  ['agent', 'agent'],
  ['user', 'simulated users'],
  ['judge', 'judges'],
];

/** `340 ms / 1.2 s`: median and 95th percentile. The latter needs 20 answers. */
export function latencyText(latency: Spread | undefined): string {
  const text = (ms: number | null | undefined) => (ms === null || ms === undefined ? '-' : durationText(ms));
  return `${text(latency?.p50)} / ${text(latency?.p95)}`;
}

function usdText(usd: number): string {
  if (usd === 0) return '$0';
  if (usd >= 1) return `$${usd.toFixed(2)}`;
  if (usd < 0.000001) return 'under $0.000001';
  return `$${Number(usd.toPrecision(3)).toFixed(6).replace(/0+$/, '').replace(/\.$/, '')}`;
}

/** `340 ms`, `12.4 s`, `3 min 5 s`, `2 h 10 min`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${Number((ms / 1000).toFixed(1))} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `0.875`, or in percent `87.5`. */
export function scoreText(score: number | null, scale: ScoreScale = 'fraction'): string {
  if (score === null) return '-';
  return String(scale === 'percent' ? Number((score * 100).toFixed(2)) : Number(score.toFixed(3)));
}

/** The scale of all scores of a trial: those of stored cases are in percent. Errored trials have no `overall`. */
export function scaleOf({ suite, overall }: Pick<Row, 'suite' | 'overall'>): ScoreScale {
  return suite === STORED_SUITE || overall !== undefined ? 'percent' : 'fraction';
}

/** The scale of all scores of a run. */
export function scaleOfRun({ settings }: Pick<Manifest, 'settings'>): ScoreScale {
  return settings.options?.stored === true ? 'percent' : 'fraction';
}

/** `score 0.875`, or for a trial that is scored in percent `score 87.5 of 100`. */
export function scoredText(row: Pick<Row, 'suite' | 'score' | 'overall'>): string {
  const { score, overall } = row;
  const scale = scaleOf(row);
  const text = overall === undefined ? scoreText(score, scale) : String(overall);
  return scale === 'percent' && score !== null ? `score ${text} of 100` : `score ${text}`;
}

/** The score with the score that is needed to pass. Where every score would do, only required parts decide. */
export function neededText(row: Pick<Row, 'suite' | 'score' | 'overall' | 'threshold'>): string {
  if (row.threshold === 0) return scoredText(row);
  return `${scoredText(row)}, needs ${scoreText(row.threshold, scaleOf(row))}`;
}

/** `2 draft, 1 budget`. */
export function breakdownText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

/** Why a trial has its status, in one line and without markup. */
export function whyText(row: Row): string {
  if (row.status === 'unexpected-passed') return 'it was expected to fail and passed';
  if (row.error !== undefined) return `${row.error.kind} (${row.error.stage}): ${row.error.message}`;
  const first = unmetGrades(row)[0];
  const score = neededText(row);
  if (!isExplained(row)) return meanText(row) ?? score;
  if (first === undefined) return score;
  const gate = row.fallenGates.includes(first.name) ? 'required ' : '';
  return `${gate}${first.name}: ${first.reason}`;
}

/** Why a trial was skipped: `skip: the shop has not decided`. */
export function skippedText(row: Row): string {
  const reason = (row.notes ?? []).join('; ');
  return reason === '' ? (row.skipped ?? row.status) : `${row.skipped ?? row.status}: ${reason}`;
}

/** Whether a failed gate or a failed expectation with a weight explains why a trial failed. */
function isExplained(row: Row): boolean {
  if (row.fallenGates.length > 0) return true;
  // In a score in percent, every part may be below its own threshold while the whole score is not.
  return row.overall === undefined && row.grades.some((grade) => !grade.passed && grade.weight > 0);
}

const MOST_PARTS = 8;

/** For a failed trial whose expectations all hold: the parts of its score. */
export function meanText(row: Row): string | undefined {
  if (row.status !== 'failed' || row.score === null || isExplained(row)) return undefined;
  const below = row.grades.filter(({ score, weight }) => score !== null && score < 1 && weight > 0);
  if (below.length === 0) return undefined;
  const whole = row.grades.filter(({ score, weight }) => score === 1 && weight > 0).length;
  const more = below.length - MOST_PARTS;
  const scale = scaleOf(row);
  const parts = [
    ...below
      .slice(0, MOST_PARTS)
      .map(({ name, score, weight }) => `${name} ${scoreText(score, scale)} (weight ${weight})`),
    ...(more > 0 ? [`${more} more below ${scoreText(1, scale)}`] : []),
    ...(whole > 0 ? [`${whole} with ${scoreText(1, scale)}`] : []),
  ];
  const [scored = '', needs = ''] = neededText(row).split(', ');
  return `${scored} is the weighted mean of: ${parts.join(', ')}; ${needs}`;
}

/** Whether the error of a trial has the same text as the reason of a grade. */
export function isTold(row: Row, grade: Grade): boolean {
  return row.error?.message === `${grade.name}: ${grade.reason}`;
}

/**
 * Failed gates first, then undecided grades, then failed ones. Without passed grades, grades that repeat the error, and
 * expectations of weight 0 that are not gates, because they decide nothing.
 */
export function unmetGrades(row: Row): readonly Grade[] {
  const rank = (grade: Grade) => (row.fallenGates.includes(grade.name) ? 0 : grade.score === null ? 1 : 2);
  return row.grades
    .filter((grade) => !grade.passed && decides(grade) && !isTold(row, grade))
    .sort((left, right) => rank(left) - rank(right));
}

/** Whether a grade counts for the verdict of its trial. */
function decides({ weight, required }: Pick<Grade, 'weight' | 'required'>): boolean {
  return weight > 0 || required !== undefined;
}

/** The outcome of a grade, in the words of all reports. */
export function gradeWord(row: Row, grade: Grade): 'failed (required)' | 'not decided' | 'failed' | 'passed' {
  if (row.fallenGates.includes(grade.name)) return 'failed (required)';
  if (grade.score === null) return 'not decided';
  return grade.passed ? 'passed' : 'failed';
}

/** The turns that evidence refers to: ` (turn 2, 4)`. */
export function turnsText({ turns = [] }: Evidence): string {
  return turns.length === 0 ? '' : ` (turn ${turns.join(', ')})`;
}

/** The final answer, or its start if it was too long for its row. */
export function answerText(output: Row['output']): string {
  if (output === null) return '';
  return isAttached(output) ? `${output.start}…` : output;
}

function isAttached(output: string | Attached): output is Attached {
  return typeof output !== 'string';
}

/** How many more notes a run has than the shown ones; undefined for 0. */
export function moreNotesText({ count, first }: RunNotes): string | undefined {
  const more = count - first.length;
  return more > 0 ? `and ${plural(more, 'warning')} more, in events.jsonl` : undefined;
}

import { invalidSentence } from '../core/invalid-sentence.ts';
import type { CaseComparison, PairedResult } from '../core/run-comparison.ts';
import { fewestFlips } from '../lib/fewest-flips.ts';
import { pText } from '../lib/text/p-text.ts';
import { plural } from '../lib/text/plural.ts';

export interface SentenceContext {
  readonly margin: number;
  /** Number of targets that are compared together. Absent: 1. */
  readonly targets?: number;
  /** What they are. Absent: targets. */
  readonly ofWhat?: string;
  /** Gates that newly fail in cases that pass less often. */
  readonly fallen?: readonly string[];
}

/** The result of a comparison in one sentence, and what cached answers mean for it. */
export function comparisonSentence(comparison: CaseComparison, context: SentenceContext): string {
  return `${resultText(comparison, context)}${cachedText(comparison)}`;
}

function cachedText({ cached }: CaseComparison): string {
  if (cached === undefined) return '';
  const { base, candidate } = cached;
  const counts = `${base.cached} of ${plural(base.of, 'trial')} of the base and ${candidate.cached} of ${candidate.of} of the candidate`;
  return `. Cached: ${counts}. A cached answer is one of an earlier run, so it is no new evidence, and its latency and cost are left out`;
}

function resultText(comparison: CaseComparison, context: SentenceContext): string {
  const { verdict, reasons, result } = comparison;
  const { margin } = context;
  if (verdict === 'invalid' || result === null) return invalidSentence(reasons);
  const seen =
    result.smallestSeen === null
      ? tooFewText(result)
      : `the smallest change this run could have seen is about ${points(result.smallestSeen)}`;
  const left = `${verdictsText(comparison, context)}${leftOutText(comparison)}`;
  const moved = `${movedText(result)}, p ${pText(result.p)}${togetherText(result, context)}`;
  switch (verdict) {
    case 'regressed':
    case 'improved':
      // Many repetitions of a few cases do not generalise to other cases.
      return `${verdict}: ${moved}${result.smallestSeen === null ? '' : `; ${seen}`}${left}`;
    case 'equivalent':
      return `equivalent: the difference over ${plural(result.pairs, 'case')} is ${intervalText(result)}, all of it within ${points(margin)}; ${movedText(result)}${left}`;
    case 'inconclusive':
      return `inconclusive: ${moved}; ${seen}; ${neededText(result, margin)}${left}`;
    default:
      return verdict satisfies never;
  }
}

/** The number of cases that any change needs, or, if many repetitions are the reason, how many are too few. */
function tooFewText({ pairs, level }: PairedResult): string {
  const fewest = fewestFlips(level);
  return pairs < fewest
    ? `at least ${plural(fewest, 'case')} are needed to see any change`
    : `${plural(pairs, 'case')} can show no change at all`;
}

/** With several targets, one may seem changed by chance, so p must be smaller. */
function togetherText({ level }: PairedResult, { targets = 1, ofWhat = 'targets' }: SentenceContext): string {
  return targets === 1
    ? ''
    : ` (one of ${targets} ${ofWhat}, so p must be below ${Number(level.toPrecision(2))})`;
}

/** Cases that pass less or more often, which scores may not show. */
function verdictsText({ verdicts, verdict }: CaseComparison, { fallen = [] }: SentenceContext): string {
  if (verdicts === null) return '';
  const { less, lessAtSameScore, moreAtSameScore, p, isMoreThanChance } = verdicts;
  const isUnseen = isMoreThanChance && verdict !== 'regressed';
  const chance = isUnseen ? `, more than chance explains (p ${pText(p)})` : '';
  const same = (count: number, verb: string) => `${plural(count, 'case')} newly ${verb} at the same score`;
  const failing = lessAtSameScore === 0 ? '' : same(lessAtSameScore, fail(lessAtSameScore));
  const all =
    isUnseen && lessAtSameScore < less ? `${plural(less, 'case')} newly ${fail(less)}${chance}` : '';
  const parts = [
    lessAtSameScore === less && failing !== '' ? `${failing}${chance}` : failing,
    all,
    moreAtSameScore === 0 ? '' : same(moreAtSameScore, pass(moreAtSameScore)),
  ].filter((part) => part !== '');
  if (parts.length === 0) return '';
  const gates = lessAtSameScore === 0 && !isUnseen ? '' : gatesText(fallen);
  return `; ${parts.join(', ')}${gates}`;
}

const MOST_GATES = 5;

function gatesText(fallen: readonly string[]): string {
  if (fallen.length === 0) return '';
  const more = fallen.length - MOST_GATES;
  const names = fallen.slice(0, MOST_GATES).join(', ');
  return `; newly failing required graders: ${names}${more > 0 ? ` and ${more} more` : ''}`;
}

function fail(count: number): string {
  return count === 1 ? 'fails' : 'fail';
}

function pass(count: number): string {
  return count === 1 ? 'passes' : 'pass';
}

/** Cases that exist only on one side and are not part of the verdict. */
function leftOutText({
  onlyInBase,
  onlyInCandidate,
}: Pick<CaseComparison, 'onlyInBase' | 'onlyInCandidate'>) {
  const parts = [
    ...(onlyInBase.length === 0 ? [] : [`${plural(onlyInBase.length, 'case')} only in the base`]),
    ...(onlyInCandidate.length === 0
      ? []
      : [`${plural(onlyInCandidate.length, 'case')} only in the candidate`]),
  ];
  return parts.length === 0 ? '' : `; not compared: ${parts.join(', ')}`;
}

function neededText({ casesNeeded }: PairedResult, margin: number): string {
  if (casesNeeded === undefined) return 'no number of cases would tell within a margin of 0';
  const cases = plural(casesNeeded.cases, 'case');
  return casesNeeded.to === 'see-margin'
    ? `a change of ${points(margin)} would be seen with about ${cases}`
    : `about ${cases} that come out like these would tell`;
}

/** `-15 points [-26.6, -3.4]`. */
export function intervalText({
  difference,
  interval,
}: Pick<PairedResult, 'difference' | 'interval'>): string {
  return `${signed(difference)} ${noun(difference)} [${signed(interval.lower)}, ${signed(interval.upper)}]`;
}

function movedText({ pairs, worse, better }: PairedResult): string {
  if (worse + better === 0) return `none of ${plural(pairs, 'case')} got better or worse`;
  const [more, less, first, second] =
    worse >= better ? [worse, better, 'worse', 'better'] : [better, worse, 'better', 'worse'];
  return `${more} of ${plural(pairs, 'case')} got ${first}, ${less === 0 ? 'none' : less} ${second}`;
}

/** `16 points`; below one point with a decimal. */
function points(share: number): string {
  const whole = share * 100;
  const shown = Number(whole < 0.995 ? whole.toPrecision(1) : whole.toFixed(0));
  return `${shown} ${shown === 1 ? 'point' : 'points'}`;
}

function signed(share: number): string {
  const shown = Number((share * 100).toFixed(1));
  return `${shown > 0 ? '+' : ''}${shown === 0 ? 0 : shown}`;
}

function noun(share: number): string {
  return Math.abs(Number((share * 100).toFixed(1))) === 1 ? 'point' : 'points';
}

import { durationText, costText, percentText, scoreText } from '../../../../src/reading/phrases.ts';
import type { ScoreScale } from '../../../../src/core/test-case.ts';
import type {
  ComparedCase,
  MedianRatio,
  ComparedValue,
  TargetComparison,
} from '../../../../src/core/run-comparison.ts';

type Result = NonNullable<TargetComparison['result']>;

/** Differences have one decimal in points. */
const SMALLEST_SHOWN = 0.001;

/** `+12.5 points`: a difference of shares or scores. */
export function pointsText(difference: number): string {
  const points = Number((difference * 100).toFixed(1));
  return `${points > 0 ? '+' : ''}${points} ${Math.abs(points) === 1 ? 'point' : 'points'}`;
}

/** What is compared, and the scale of its scores. */
export interface Shown {
  readonly on: ComparedValue;
  readonly scale: ScoreScale;
}

/** A value of a case: its score, or how many of its trials passed. */
export function valueText({ on, scale }: Shown, value: number): string {
  return on === 'score' ? scoreText(value, scale) : percentText(value);
}

/** The difference of two such values: `-0.12`, or `-12.5 points` of a rate. */
export function differenceText({ on, scale }: Shown, difference: number): string {
  if (on === 'passed' || scale === 'percent') return pointsText(difference);
  return `${difference > 0 ? '+' : ''}${scoreText(difference)}`;
}

const RATIOS = {
  costUsd: {
    title: 'Cost of the agent',
    text: (usd: number) => costText({ knownUsd: usd, known: 1, unknown: 0 }),
  },
  tokens: { title: 'Tokens of the agent', text: (count: number) => Math.round(count).toLocaleString('en') },
  latencyMs: { title: 'Latency of a turn', text: durationText },
} as const;

/** A ratio in words: its title, `x 1.25`, and where it comes from. */
export function ratioTexts(kind: keyof typeof RATIOS, found: MedianRatio) {
  const { title, text } = RATIOS[kind];
  const { ratio, interval, base, candidate, cases } = found;
  const short = (value: number) => Number(value.toFixed(2));
  return {
    title,
    value: ratio === null ? 'not known' : `× ${short(ratio)}`,
    interval:
      interval === null ? undefined : `95 % interval [${short(interval.lower)}, ${short(interval.upper)}]`,
    medians: `median ${text(base)} → ${text(candidate)}, ${cases === 1 ? '1 case' : `${cases} cases`}`,
  };
}

/** The smallest change that the comparison could have seen, in words. */
export function smallestText({ smallestSeen }: Pick<Result, 'smallestSeen'>): string {
  if (smallestSeen === null) return 'none: too few cases';
  if (smallestSeen < SMALLEST_SHOWN) return 'less than 0.1 points';
  // Rounded as in the sentence of the comparison.
  const points = smallestSeen * 100;
  const shown = Number(points < 0.995 ? points.toPrecision(1) : points.toFixed(0));
  return `about ${shown} ${shown === 1 ? 'point' : 'points'}`;
}

/** Whether two lists name the same cases, so that one of them is enough. */
export function isSameList(left: readonly ComparedCase[], right: readonly ComparedCase[]): boolean {
  const namesOf = (cases: readonly ComparedCase[]) =>
    JSON.stringify(cases.map(({ suite, caseId }) => [suite, caseId]).toSorted());
  return namesOf(left) === namesOf(right);
}

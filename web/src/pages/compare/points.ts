import type { TargetComparison } from './comparison.ts';

/** `+12.5 points`: a difference of shares or scores. */
export function pointsText(difference: number): string {
  const points = Number((difference * 100).toFixed(1));
  return `${points > 0 ? '+' : ''}${points} ${Math.abs(points) === 1 ? 'point' : 'points'}`;
}

/** The smallest change that the comparison could have seen, in words. */
export function smallestText({ smallestSeen, pairs }: NonNullable<TargetComparison['result']>): string {
  const cases = pairs === 1 ? '1 case' : `${pairs} cases`;
  return smallestSeen === null
    ? `${cases} are too few to see any change`
    : `about ${Number((smallestSeen * 100).toFixed(1))} points, with ${cases}`;
}

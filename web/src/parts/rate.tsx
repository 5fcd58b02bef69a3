import { intervalText, ratioText } from '../../../src/reading/phrases.ts';
import { UNJUDGED, unjudgedNote } from '../../../src/reading/outcomes.ts';
import type { ShownTotals } from '../../../src/reading/shown-totals.ts';
import type { PassRate } from '../../../src/reading/totals.ts';

/** A rate with what it was counted from, its interval, and what it leaves out; never a percentage alone. */
export function Rate({ of }: { readonly of: Pick<ShownTotals, 'passRate' | 'outcomes'> }) {
  const { passRate: rate } = of;
  if (rate.value === null) return <span className="quiet">not measured</span>;
  return (
    <>
      <span className="rate">{ratioText(rate)}</span>
      <RateRange value={rate.value} interval={rate.interval} />
      {unjudgedNote(of) === undefined ? null : <small className="warns">{UNJUDGED}</small>}
    </>
  );
}

interface RateRangeProps {
  readonly value: number;
  readonly interval: PassRate['interval'];
}

/** The 95 % interval of a rate, drawn and in numbers. */
export function RateRange({ value, interval }: RateRangeProps) {
  if (interval === null) return null;
  const percent = (share: number) => `${100 * share}%`;
  return (
    <>
      <span className="range" aria-hidden="true">
        <span style={{ left: percent(interval.lower), width: percent(interval.upper - interval.lower) }} />
        <b style={{ left: percent(value) }} />
      </span>
      <small className="rate">95 % interval {intervalText(interval)}</small>
    </>
  );
}

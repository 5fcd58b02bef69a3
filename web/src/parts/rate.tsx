import { intervalText, ratioText } from '../../../src/reading/phrases.ts';
import type { PassRate } from '../../../src/reading/totals.ts';

/** A rate with what it was counted from and its interval; never a percentage alone. */
export function Rate({ rate }: { readonly rate: PassRate }) {
  if (rate.value === null) return <span className="quiet">not measured</span>;
  return (
    <>
      {ratioText(rate)} <small>95 % interval {intervalText(rate.interval)}</small>
    </>
  );
}

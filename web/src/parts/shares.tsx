import { outcomesOf } from '../../../src/reading/outcomes.ts';
import type { Totals } from '../../../src/reading/totals.ts';

interface SharesProps {
  readonly totals: Pick<Totals, 'byStatus' | 'skippedBy' | 'counts'>;
  /** Trials, also those without an end. */
  readonly planned: number | null;
}

/** How trials ended, as a bar; the numbers are next to it in words. */
export function Shares({ totals, planned }: SharesProps) {
  const open = Math.max(0, (planned ?? 0) - totals.counts.total);
  return (
    <span className="shares" aria-hidden="true">
      {outcomesOf(totals).map(({ look, count }) =>
        count === 0 ? null : <span key={look} className={look} style={{ flexGrow: count }} />,
      )}
      {open === 0 ? null : <span style={{ flexGrow: open }} />}
    </span>
  );
}

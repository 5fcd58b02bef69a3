import { outcomesOf } from '../../../src/reading/outcomes.ts';
import type { Totals } from '../../../src/reading/totals.ts';

/** How trials ended, as a bar; the numbers stand beside it in words. */
export function Shares({ totals }: { readonly totals: Pick<Totals, 'byStatus' | 'skippedBy'> }) {
  return (
    <div className="shares" aria-hidden="true">
      {outcomesOf(totals).map(({ look, count }) =>
        count === 0 ? null : <span key={look} className={look} style={{ flexGrow: count }} />,
      )}
    </div>
  );
}

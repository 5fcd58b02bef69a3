import type { Tally } from '../../reading/tally.ts';
import type { SkipKind } from '../../core/test-case.ts';

/** Whether no trial passed or failed although one should have; what its author skipped should not. */
export function isUnmeasured({ counts, skippedBy }: Tally): boolean {
  const byAuthor = AUTHORS_SKIPS.reduce((sum, kind) => sum + (skippedBy[kind] ?? 0), 0);
  return counts.passed + counts.failed === 0 && (counts.total === 0 || byAuthor < counts.total);
}

/** A trial that was skipped because of another one counts as that one does. */
const AUTHORS_SKIPS: readonly SkipKind[] = ['draft', 'archived', 'skip', 'dependency'];

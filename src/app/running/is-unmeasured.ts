import type { Tally } from '../../reading/tally.ts';
import type { SkipKind } from '../../core/test-case.ts';

/** Whether no trial passed or failed, although not all were skipped by their authors. */
export function isUnmeasured({ counts, skippedBy }: Tally): boolean {
  const byAuthor = AUTHORS_SKIPS.reduce((sum, kind) => sum + (skippedBy[kind] ?? 0), 0);
  return counts.passed + counts.failed === 0 && (counts.total === 0 || byAuthor < counts.total);
}

/** Skips by authors. A trial skipped because of a dependency counts like that dependency. */
const AUTHORS_SKIPS: readonly SkipKind[] = ['draft', 'archived', 'skip', 'dependency'];

import type { Pruned, PruneChoice } from '../../core/pruning.ts';
import { plural } from '../../lib/text/plural.ts';

const BECAUSE: Readonly<Record<string, string>> = {
  baseline: 'it is or was a baseline',
  reviewed: 'it has reviews',
  source: 'another run grades its trials again',
  compared: 'another run is compared with it',
};

/** What `assay db prune` prints: a line for each archived run, and the sum. */
export function prunedText(
  { runs, kept, bytes, leftFolders = [] }: Pruned,
  { archivedBefore, isDryRun = false }: PruneChoice,
): string {
  const removed = isDryRun ? 'would remove' : 'removed';
  const lines = [
    ...kept.map(({ id, because }) => `kept ${id}: ${BECAUSE[because] ?? because}`),
    ...runs.map((id) => `${removed} ${id}`),
    ...leftFolders.map((folder) => `could not remove ${folder}: remove it by hand`),
    runs.length === 0
      ? `no run to remove that was archived before ${archivedBefore}`
      : `${removed} ${plural(runs.length, 'run')}, with ${megabytes(bytes)} MB of texts and files`,
  ];
  return `${lines.join('\n')}\n`;
}

function megabytes(bytes: number): string {
  return (bytes / (1 << 20)).toFixed(1);
}

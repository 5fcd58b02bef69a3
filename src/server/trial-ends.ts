import type { TrialChange } from '../api/resources/feed.ts';
import type { RunSummaries } from '../app/view/run-summaries.ts';
import type { StoredRun } from '../core/run-store.ts';
import type { Row } from '../core/run.ts';
import { isOfRun } from './failure.ts';
import { trialResource } from './trial-resource.ts';

/** Gives the trials of a run that ended since the last call, at first behind an event. */
export function trialEnds(
  id: string,
  runs: Pick<RunSummaries, 'open'>,
  after: number,
): () => Promise<readonly TrialChange[]> {
  let last = after;
  return async () => {
    const ends: TrialChange[] = [];
    try {
      for await (const { row, sequence } of endedAfter(runs.open(id), last)) {
        last = sequence;
        if (row !== undefined) ends.push({ run_id: id, ...trialResource(row) });
      }
    } catch (error) {
      // A run that was removed or damaged does not end the feed.
      if (!isOfRun(error)) throw error;
    }
    return ends;
  };
}

async function* endedAfter(
  run: StoredRun,
  after: number,
): AsyncGenerator<{ readonly row?: Row; readonly sequence: number }> {
  if (run.index !== undefined) return yield* run.index.endedAfter(after);
  for await (const { sequence, fact } of run.events(after)) {
    yield fact.type === 'trial-end' ? { row: fact.row, sequence } : { sequence };
  }
}

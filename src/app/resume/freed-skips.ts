import type { Row } from '../../core/run.ts';
import { trialKey } from '../../core/trial.ts';
import { dependenciesOf } from '../../engine/dependencies.ts';
import type { Plan } from '../../engine/plan.ts';

export interface EndedTrials {
  readonly plan: Plan;
  readonly rows: () => AsyncIterable<Row>;
  /** Whether a row is kept, apart from its dependencies. */
  readonly stays: (row: Row) => boolean;
}

/** Keys of trials that were skipped because of a dependency that now no longer blocks them. */
export async function freedSkips({ plan, rows, stays }: EndedTrials): Promise<ReadonlySet<string>> {
  const freed = new Set<string>();
  const dependencies = dependenciesOf(plan);
  if (dependencies === undefined) return freed;
  const ended = new Map<string, boolean>();
  const skips: Row[] = [];
  for await (const row of rows()) {
    if (!stays(row)) continue;
    ended.set(trialKey(row), row.passed);
    if (row.skipped === 'dependency') skips.push(row);
  }
  const isBlocking = ({ key }: { readonly key?: string }) => key === undefined || ended.get(key) === false;
  for (let before = -1; before < freed.size;) {
    before = freed.size;
    for (const skip of skips) {
      const key = trialKey(skip);
      if (freed.has(key) || dependencies.of(skip).some(isBlocking)) continue;
      freed.add(key);
      ended.delete(key);
    }
  }
  return freed;
}

import type { RunIndex } from '../../core/run-index.ts';
import type { StoredRun } from '../../core/run-store.ts';
import { countRun, runCounting, type CountedRun, type RunCounting } from './counted-run.ts';

/** Runs whose counts are held while they go on. */
const MOST_RUNS = 8;

/** What was counted of a run so far. */
interface Growing {
  readonly counting: RunCounting;
  /** Numbers of the counted trials. */
  readonly trials: Set<number>;
  /** Of the run, as far as they were needed. */
  digests: readonly string[];
  /** The last end, and the last event of the whole run, that were read. */
  ended: number;
  told: number;
}

/** Counts runs that go on. Where a store can tell what is new, only that is read. */
export function countGrowing(): (run: StoredRun) => Promise<CountedRun> {
  const held = new Map<string, Growing>();
  const busy = new Map<string, Promise<unknown>>();
  const counted = async (run: StoredRun, index: RunIndex): Promise<CountedRun> => {
    const before = held.get(run.name);
    held.delete(run.name);
    const growing =
      before !== undefined && (await grow(before, index)) === 'grown' ? before : await counts(index);
    held.set(run.name, growing);
    for (const name of [...held.keys()].slice(0, -MOST_RUNS)) held.delete(name);
    const { counting } = growing;
    // In a large run, their list is most of what would be read at each look.
    if (counting.lastDigest() >= growing.digests.length) growing.digests = (await run.manifest()).digests;
    return counting.counted(await run.head(), growing.digests);
  };
  return async (run) => {
    const { index } = run;
    if (index === undefined) return await countRun(run);
    // Two that grow at the same time would count a row twice.
    const turn = (busy.get(run.name) ?? Promise.resolve()).then(
      () => counted(run, index),
      () => counted(run, index),
    );
    busy.set(run.name, turn);
    try {
      return await turn;
    } finally {
      if (busy.get(run.name) === turn) busy.delete(run.name);
    }
  };
}

async function counts(index: RunIndex): Promise<Growing> {
  for (;;) {
    const growing: Growing = {
      counting: runCounting(),
      trials: new Set(),
      digests: [],
      ended: 0,
      told: 0,
    };
    if ((await grow(growing, index)) === 'grown') return growing;
  }
}

/** A trial that ends again, or whose end was dropped, cannot be taken out of what was counted. */
async function grow(growing: Growing, index: RunIndex): Promise<'grown' | 'changed'> {
  const { counting, trials } = growing;
  const isFirst = trials.size === 0;
  for await (const { row, sequence } of index.endedAfter(growing.ended)) {
    if (trials.has(row.number)) return 'changed';
    trials.add(row.number);
    counting.add(row);
    growing.ended = sequence;
  }
  for (const event of await index.wholeEvents(growing.told)) {
    if (!isFirst && event.fact.type === 'run-resume') return 'changed';
    counting.tell(event);
    growing.told = event.sequence;
  }
  return 'grown';
}

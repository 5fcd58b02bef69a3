import { AssayError } from '../core/errors.ts';
import type { OpenRun, StoredRun } from '../core/run-store.ts';
import type { Store } from '../core/store.ts';
import { createRedactor } from '../lib/redact/redact.ts';
import { nothingEarlier } from './running/earlier.ts';
import { executeRun } from './running/execute-run.ts';
import { openProgress } from './running/run-progress.ts';
import { logFact } from './running/log-fact.ts';
import { countByTarget } from './binding/planned-cases.ts';
import { runStart } from './running/run-start.ts';

export interface CancelPlace {
  readonly store: Pick<Store, 'runs' | 'cancels'>;
  readonly now: () => number;
}

/** Cancels a run that this process does not execute. Throws `run-finished`. */
export async function cancelRun(run: StoredRun, place: CancelPlace): Promise<void> {
  for (;;) {
    const answer = await place.store.cancels.ask(run.name);
    if (answer === 'asked') return;
    if (answer === 'ended') throw finished(run, await run.state());
    if (await stopWaiting(run, place)) return;
  }
}

/** Ends a queued run that no process has claimed. False: a process has begun it in the meantime. */
export async function stopWaiting(run: StoredRun, { store, now }: CancelPlace): Promise<boolean> {
  const claimed = await store.runs.claim(run).catch((error: unknown) => {
    if (error instanceof AssayError && error.code === 'run-in-use') return undefined;
    throw error;
  });
  if (claimed === undefined) return false;
  try {
    if ((await run.state()) !== 'queued') return false;
    // What is stored has no secrets.
    await endUnbegun(await claimed.open(await run.manifest(), createRedactor({ environment: {} })), now);
    return true;
  } finally {
    await claimed.release();
  }
}

/** Writes the log of a run that was stopped before any of its trials. */
async function endUnbegun(run: OpenRun, now: () => number): Promise<void> {
  const spec = await run.stored.spec();
  const { signal } = new AbortController();
  await executeRun(
    {
      run,
      progress: openProgress(run, nothingEarlier()),
      sinks: { results: { name: 'json', write: () => undefined }, reports: [], onlookers: [] },
      control: { stop: signal, cancel: AbortSignal.abort(), abandon: signal, stoppedBy: () => undefined },
      now,
      maxErrored: 0,
      repository: Promise.resolve(undefined),
    },
    async ({ stream }) => {
      logFact(stream, now, runStart(run.manifest, spec && countByTarget(spec)));
      return 'stopped';
    },
  );
}

function finished({ name }: StoredRun, state: string): AssayError {
  return new AssayError('run-finished', `the run ${name} is ${state}, so nothing can be cancelled`, {
    stage: 'plan',
  });
}

import { AssayError, messageOf } from '../../core/errors.ts';
import type { RunStore, StoredRun } from '../../core/run-store.ts';

/**
 * Runs of two stores. New runs, lists and `latest` are those of the first. The second is asked only for runs that the
 * first does not have.
 */
export function bothRuns(first: RunStore, second: () => Promise<RunStore | undefined>): RunStore {
  let opened: Promise<RunStore | undefined> | undefined;
  const asked = () => (opened ??= second());
  const ofSecond = new WeakMap<StoredRun, RunStore>();
  const holderOf = (run: StoredRun): RunStore => ofSecond.get(run) ?? first;
  const inSecond = <Found extends { readonly run: StoredRun }>(found: Found, store: RunStore): Found => {
    ofSecond.set(found.run, store);
    return found;
  };
  return {
    async find(reference) {
      try {
        return await first.find(reference);
      } catch (error) {
        if (!isUnknown(error) || isLatest(reference)) throw error;
        const store = await openedFor(error, asked);
        return inSecond(await store.find(reference), store);
      }
    },
    list: first.list,
    open: first.open,
    create: first.create,
    claim: (run) => holderOf(run).claim(run),
    async around(place) {
      const found = await first.around(place);
      if (found !== undefined) return found;
      const store = await asked();
      const other = await store?.around(place);
      return other && store && inSecond(other, store);
    },
    claimAttempt: (attempt) => holderOf(attempt.run).claimAttempt(attempt),
  };
}

/** Throws the first error if there is no second store, and says why it cannot be asked. */
async function openedFor(error: AssayError, asked: () => Promise<RunStore | undefined>): Promise<RunStore> {
  let opened: RunStore | undefined;
  try {
    opened = await asked();
  } catch (reason) {
    throw new AssayError(error.code, `${error.message}; the store cannot be asked: ${messageOf(reason)}`, {
      stage: error.stage,
      hint: error.hint,
      cause: reason,
    });
  }
  if (opened === undefined) throw error;
  return opened;
}

function isUnknown(error: unknown): error is AssayError {
  return error instanceof AssayError && error.code === 'run-not-found';
}

function isLatest(reference: string): boolean {
  return reference.split('#')[0] === 'latest';
}

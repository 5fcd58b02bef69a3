import { hostname } from 'node:os';

import { bindHere } from '../app/working/bind-here.ts';
import { clearLeft, tellLeftovers } from '../app/working/clear-left.ts';
import { openWorkedRun, type WorkedRun } from '../app/working/worked-run.ts';
import type { Surroundings } from '../app/surroundings.ts';
import { noWorkers } from '../app/running/no-workers.ts';
import { assayVersion } from '../app/version.ts';
import type { Store } from '../core/store.ts';
import type { TakenTrial, WorkerDesk } from '../core/trial-queue.ts';
import { settlesWithin } from '../lib/process/settles-within.ts';

export interface WorkRequest {
  /** How many trials run in parallel. */
  readonly slots: number;
  readonly name: string;
  /** Path of the config; absent: searched upward. */
  readonly config?: string | undefined;
  /** How long running trials may go on after `stop`, in milliseconds. */
  readonly graceMs: number;
  /** When aborted: take no more trials. */
  readonly stop: AbortSignal;
  /** Called when it can take trials. */
  onReady(): void;
  /** Called with a run whose trials it does not take, and the reason. */
  onRefusal(run: string, reason: string): void;
  onFault(fault: unknown): void;
}

/** Without a notice, a worker looks so often for new trials. */
const LOOKS_EVERY_MS = 1000;

/** Takes trials of runs that others conduct until it is stopped. Throws `no-workers`. */
export async function work(store: Store, request: WorkRequest, surroundings: Surroundings): Promise<void> {
  if (store.queue === undefined) throw noWorkers();
  const { slots, name, stop, graceMs } = request;
  await clearLeft(store, store.queue);
  await using desk = await store.queue.join({
    name,
    host: hostname(),
    pid: process.pid,
    version: assayVersion(),
    slots,
  });
  await tellLeftovers(store, desk);
  const around: Surroundings = {
    ...surroundings,
    prefers: 'store',
    store: { find: async () => store, open: async () => store },
  };
  const abandon = new AbortController();
  const working: Working = {
    desk,
    store,
    request,
    around,
    abandon: abandon.signal,
    opened: new Map(),
    running: new Set(),
  };
  const unlessStopped = (fault: unknown): void => {
    if (!stop.aborted) request.onFault(fault);
  };
  request.onReady();
  while (!stop.aborted) {
    const free = slots - working.running.size;
    const taken = free > 0 ? await takeSome(free, working).catch(unlessStopped) : 0;
    if (taken !== 0 && taken !== undefined) continue;
    await closeEnded(working).catch(request.onFault);
    await somethingNew(working);
  }
  const all = Promise.all(working.running);
  if (!(await settlesWithin(all, graceMs))) abandon.abort(new Error('the worker is stopped'));
  await all;
  for (const run of working.opened.values()) await run[Symbol.asyncDispose]();
}

interface Working {
  readonly desk: WorkerDesk;
  readonly store: Store;
  readonly request: WorkRequest;
  readonly around: Surroundings;
  readonly abandon: AbortSignal;
  /** What trials of a run share, by its id. */
  readonly opened: Map<string, WorkedRun>;
  readonly running: Set<Promise<void>>;
}

/** Takes trials of the oldest runs first; gives their number. */
async function takeSome(most: number, working: Working): Promise<number> {
  const { desk } = working;
  let count = 0;
  for (const id of await desk.runs()) {
    const run = working.opened.get(id) ?? (await openedRun(id, working));
    if (run === undefined) continue;
    const taken = await desk.take(id, most - count);
    for (const trial of taken) begin(run, trial, working);
    count += taken.length;
    if (count === most) break;
  }
  return count;
}

async function openedRun(id: string, working: Working): Promise<WorkedRun | undefined> {
  const { desk, store, request, around, opened } = working;
  const { config, stop: signal } = request;
  const here = await bindHere(store.runs.open(id), { store, surroundings: around, config, signal });
  if ('refusal' in here) {
    await desk.refuse(id, here.refusal);
    request.onRefusal(id, here.refusal);
    return undefined;
  }
  const { workspaceRoot } = here.bound.machine.run;
  if (workspaceRoot !== undefined) await tellLeftovers(store, desk, workspaceRoot);
  const run = openWorkedRun(here.bound, { id, desk, now: around.now });
  opened.set(id, run);
  return run;
}

function begin(run: WorkedRun, trial: TakenTrial, { request, abandon, running }: Working): void {
  const ended: Promise<void> = run
    .run(trial, abandon)
    .catch(request.onFault)
    .finally(() => running.delete(ended));
  running.add(ended);
}

/** Closes what was opened for runs that are over. */
async function closeEnded({ desk, opened, running }: Working): Promise<void> {
  if (running.size > 0) return;
  for (const [id, run] of opened) {
    if (await desk.isUnderWay(id)) continue;
    opened.delete(id);
    await run[Symbol.asyncDispose]();
  }
}

/** Resolves when there may be new trials, a slot is free, or the worker is stopped. */
function somethingNew({ desk, request: { stop, slots }, running }: Working): Promise<void> {
  return new Promise((resolve) => {
    const isFull = running.size >= slots;
    const timer = setTimeout(done, LOOKS_EVERY_MS);
    function done(): void {
      clearTimeout(timer);
      stop.removeEventListener('abort', done);
      desk.onOffer(() => undefined);
      resolve();
    }
    stop.addEventListener('abort', done, { once: true });
    if (!isFull) desk.onOffer(done);
    for (const trial of running) void trial.finally(done);
  });
}

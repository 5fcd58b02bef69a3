import { hostname } from 'node:os';

import { bindHere } from '../app/working/bind-here.ts';
import { clearLeft, tellLeftovers } from '../app/working/clear-left.ts';
import { openWorkedRun, type WorkedRun } from '../app/working/worked-run.ts';
import type { Surroundings } from '../app/surroundings.ts';
import { noWorkers } from '../app/running/no-workers.ts';
import { assayVersion } from '../app/version.ts';
import type { Store } from '../core/store.ts';
import type { TakenTrial, WorkerDesk } from '../core/trial-queue.ts';
import { ownPidSpace } from '../lib/process/pid-space.ts';
import { settlesWithin } from '../lib/process/settles-within.ts';
import { openPatience, type Patience } from './patience.ts';
import { openTroubles, type Troubles } from './troubles.ts';
import type { WorkListener } from './work-listener.ts';

export interface WorkRequest {
  /** How many trials run in parallel. */
  readonly slots: number;
  readonly name: string;
  /** Path of the config; absent: searched upward. */
  readonly config?: string | undefined;
  /** How long running trials may go on after `stop`, in milliseconds. */
  readonly graceMs: number;
  /** How long trials wait for workers that are less busy than this one, in milliseconds. */
  readonly patienceMs?: number;
  /** When aborted: take no more trials. */
  readonly stop: AbortSignal;
  readonly tell: WorkListener;
}

/** Without a notice, a worker looks so often for new trials. */
const LOOKS_EVERY_MS = 1000;

/** Other workers may first have to load the project of a run. */
const PATIENCE_MS = 5000;

/** Takes trials of runs that others conduct until it is stopped. Throws `no-workers`. */
export async function work(store: Store, request: WorkRequest, surroundings: Surroundings): Promise<void> {
  if (store.queue === undefined) throw noWorkers();
  const { slots, name, stop, tell } = request;
  await clearLeft(store, store.queue, ownPidSpace());
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
    abandon,
    opened: new Map(),
    refused: new Set(),
    running: new Set(),
    troubles: openTroubles(tell),
    patience: openPatience(request.patienceMs ?? PATIENCE_MS),
  };
  tell.ready();
  while (!stop.aborted) {
    if ((await takenNow(working)) === 0 && !stop.aborted) await somethingNew(working);
  }
  await finish(working);
}

/** Takes what it can and should; gives the number of trials. */
async function takenNow(working: Working): Promise<number> {
  const { request, running, troubles } = working;
  const free = request.slots - running.size;
  try {
    const taken = free > 0 ? await takeSome(free, working) : 0;
    if (taken === 0) await closeEnded(working);
    troubles.end();
    return taken;
  } catch (fault) {
    if (!request.stop.aborted) troubles.tell(fault);
    return 0;
  }
}

/** Lets running trials end for a while, and gives the others back. */
async function finish({ desk, request, running, abandon, opened }: Working): Promise<void> {
  const { tell, graceMs } = request;
  tell.stopping(running.size);
  const all = Promise.all(running);
  // Without the database, others give it trials in vain for a moment.
  await desk.stopTaking().catch(() => undefined);
  if (!(await settlesWithin(all, graceMs))) {
    tell.givingBack(running.size);
    abandon.abort(new Error('the worker is stopped'));
  }
  await all;
  for (const run of opened.values()) await run[Symbol.asyncDispose]();
}

interface Working {
  readonly desk: WorkerDesk;
  readonly store: Store;
  readonly request: WorkRequest;
  readonly around: Surroundings;
  readonly abandon: AbortController;
  /** What trials of a run share, by its id. */
  readonly opened: Map<string, WorkedRun>;
  readonly refused: Set<string>;
  readonly running: Set<Promise<void>>;
  readonly troubles: Troubles;
  readonly patience: Patience;
}

/** Takes trials of the oldest runs first; gives their number. */
async function takeSome(most: number, working: Working): Promise<number> {
  const { desk, patience, request } = working;
  const waiting = await desk.runs();
  const isOver = patience.isOver(waiting.some(({ share }) => share === 0));
  let count = 0;
  for (const { id, share } of waiting) {
    if (share === 0 && !isOver) continue;
    const run = working.opened.get(id) ?? (await openedRun(id, working));
    if (run === undefined) continue;
    const taken = await desk.take(id, Math.min(most - count, isOver ? Infinity : share), request.stop);
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
    await refuse(id, here.refusal, working);
    return undefined;
  }
  const { workspaceRoot } = here.bound.machine.run;
  if (workspaceRoot !== undefined) await tellLeftovers(store, desk, workspaceRoot);
  const run = openWorkedRun(here.bound, { id, desk, now: around.now });
  opened.set(id, run);
  return run;
}

async function refuse(id: string, refusal: string, { desk, request, refused }: Working): Promise<void> {
  if (refused.has(id)) return;
  refused.add(id);
  // The desk keeps a reason that it cannot write now.
  request.tell.refused(id, refusal);
  await desk.refuse(id, refusal);
}

function begin(run: WorkedRun, trial: TakenTrial, working: Working): void {
  const { request, abandon, running } = working;
  const ended: Promise<void> = run
    .run(trial, abandon.signal)
    .then(async ({ refusal }) => {
      if (refusal !== undefined) await refuse(trial.run, refusal, working);
    })
    .catch((fault: unknown) => request.tell.dropped(trial, fault))
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

import type { HandedTrials } from '../../core/handed-trials.ts';
import { BudgetSpent } from '../../core/errors.ts';
import { isCancelled } from '../../engine/cancelled.ts';
import type { PlannedTrial } from '../../engine/trial-context.ts';
import { heardLedger } from '../../engine/heard-ledger.ts';
import type { Hands, HandsWork, TrialRunner } from './hands.ts';
import { noWorkers } from './no-workers.ts';
import { offeredTrial, plannedTrial } from './offered-trial.ts';
import { openTrialsOut, type TrialsOut } from './trials-out.ts';
import { startAnew } from './start-anew.ts';
import { logFact } from './log-fact.ts';
import { joinedVersions } from './versions-on-workers.ts';
import { waitingForWorkers } from './waiting-for-workers.ts';

/** Workers tell of each end; this is for notices that got lost. */
const HEARS_EVERY_MS = 500;

const LOOKS_FOR_LOST_MS = 5000;

const NOTHING_LEFT = 'the rest of the budget is not enough for the next trial';

/** Hands trials out to workers, and hears of their ends and costs from the log. */
export const workersHands: Hands = {
  areHere: false,
  openLog(run, lastSequence) {
    if (run.openSharedLog === undefined) throw noWorkers();
    return run.openSharedLog(lastSequence);
  },
  openLedger: heardLedger,
  ledgerOf: (ledger) => ledger,
  crowd: (concurrency) => ({ concurrency }),
  open(run, ledger) {
    // The first write already tells of what workers ended since an earlier conductor.
    const out = openTrialsOut();
    return {
      hear(event) {
        out.hear(event);
        const { fact } = event;
        if (fact.type === 'run-state' && fact.money !== undefined) ledger?.hear?.(fact.money);
      },
      async begin(work) {
        if (run.handOut === undefined) throw noWorkers();
        return handingOut({ ...work, out, handed: await run.handOut() });
      },
    };
  },
};

interface HandingOut extends HandsWork {
  readonly handed: HandedTrials;
  /** Hears every event of the run. */
  readonly out: TrialsOut;
}

function handingOut(options: HandingOut): TrialRunner {
  const { handed, stream, out, context, now } = options;
  const end = endingOf(handed, out);
  let ending: AbortSignal | undefined;
  const offer = offering(options, out, () => {
    if (ending?.aborted === true) end(ending);
  });
  const catchUp = oneAtATime(() => stream.catchUp());
  const tellWaiting = waitingForWorkers(handed, (text) => logFact(stream, now, { type: 'note', text }));
  const look = oneAtATime(async () => {
    if (out.isEmpty()) return;
    const unpaid = await handed.takeUnpaid();
    if (unpaid.length > 0) context.ledger?.refuse(new BudgetSpent(NOTHING_LEFT));
    out.leave(unpaid);
    const isEnding = ending?.aborted === true;
    for (const lost of await handed.takeLost()) await startAnew(lost, { ...options, isEnding });
    if (!isEnding) await tellWaiting();
  });
  handed.onEnded(catchUp);
  const timers = [setInterval(catchUp, HEARS_EVERY_MS), setInterval(look, LOOKS_FOR_LOST_MS)];
  return {
    runOne: (trial, signal) => {
      if (ending === undefined) {
        ending = signal;
        signal.addEventListener('abort', () => end(signal), { once: true });
      }
      offer(trial);
      return out.add(trial);
    },
    async versions() {
      // Without the database, the end of the run cannot be written either.
      const { versions, warnings } = joinedVersions(await handed.versions().catch(() => []));
      for (const text of warnings) logFact(stream, now, { type: 'note', text });
      return versions;
    },
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer);
      // Without the database nothing can be withdrawn; the next conductor does it.
      await handed.withdrawAll().catch(() => undefined);
      await handed[Symbol.asyncDispose]();
    },
  };
}

/** Offers trials that may start at the same time with one statement. */
function offering(
  { handed, groundOf }: Pick<HandingOut, 'handed' | 'groundOf'>,
  out: TrialsOut,
  onOffered: () => void,
): (trial: PlannedTrial) => void {
  let waiting: PlannedTrial[] = [];
  const offerAll = async (): Promise<void> => {
    const trials = waiting;
    waiting = [];
    const offered = trials.map((trial) => offeredTrial(trial, groundOf(trial)));
    for (const adopted of await handed.offer(offered)) {
      const { key, earlier = [] } = plannedTrial(adopted);
      out.adopt(key, earlier);
    }
    onOffered();
  };
  return (trial) => {
    waiting.push(trial);
    if (waiting.length === 1) setImmediate(() => void offerAll().catch(out.fail));
  };
}

/** Ends what is handed out: as cancelled, or without an end. */
function endingOf(handed: HandedTrials, out: TrialsOut): (signal: AbortSignal) => void {
  return (signal) => {
    if (isCancelled(signal)) void handed.cancel().then(out.leave, out.fail);
    else void handed.withdrawAll().then(out.leaveAll, out.leaveAll);
  };
}

/** Does the work, and once more if it was asked for while it went on. What fails is done again at the next call. */
function oneAtATime(work: () => Promise<void>): () => void {
  let isGoingOn = false;
  let isAsked = false;
  const go = (): void => {
    isAsked = isGoingOn;
    if (isGoingOn) return;
    isGoingOn = true;
    void work()
      .catch(() => undefined)
      .finally(() => {
        isGoingOn = false;
        if (isAsked) go();
      });
  };
  return go;
}

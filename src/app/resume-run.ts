import { dirname } from 'node:path';

import { AssayError } from '../core/errors.ts';
import type { Row } from '../core/run.ts';
import { begun, type Manifest } from '../core/manifest.ts';
import { wholeRun, type ClaimedRun, type StoredRun } from '../core/run-store.ts';
import { runFold } from '../core/run-view.ts';
import { trialKey } from '../core/trial.ts';
import { shownPlan } from './plan/shown-plan.ts';
import { conductRun, type RunWork } from './run/conduct-run.ts';
import { redactorFor } from './run/create-run.ts';
import type { Earlier } from './run/earlier.ts';
import { judgesOf } from './gates/judge-run.ts';
import { failedTrials } from './plan/failed-trials.ts';
import { outcomeOf } from './run/outcome.ts';
import { freezePlan } from './run/frozen-copies.ts';
import { refuseStranger } from './project/trust-run.ts';
import { openRuns } from './runs.ts';
import type { Presentation, RunOutcome } from './presentation.ts';
import { prepareRun, type PreparedRun } from './plan/prepare-run.ts';
import { clearLeftovers, ownLeftovers } from './run/leftovers.ts';
import { comparedWith } from './run/compared-rows.ts';
import { freedSkips } from './run/freed-skips.ts';
import { changesSince } from './run/changes-since.ts';
import { reportersOf } from './run/reporters.ts';
import { ledgerFor, refuseUnknownCost } from './run/run-money.ts';
import { spentBefore, type SpentBefore } from './run/spent-before.ts';
import { repositoryState } from './run/repository-state.ts';
import { keptOptions, moneyOf, optionsAgain } from './run/resume-options.ts';
import type { RunOptions } from './run-options.ts';
import { runTrials } from './run/run-trials.ts';
import { openTokenBaselines, recallTokens } from './code-suites/token-baselines.ts';

export interface ResumeRequest {
  /** Directory, id, beginning of an id, or `latest`. */
  readonly run: string;
  /** Verdicts that are run again: errored, cancelled. */
  readonly retry: readonly string[];
  readonly acceptChanges: boolean;
  /** Code that a run of another project names may be executed. */
  readonly isTrusted: boolean;
  readonly concurrency?: number;
  /** Of all processes of the run together, USD; absent: what it was started with. */
  readonly maxCostUsd?: number;
  readonly allowUnknownCost?: boolean;
}

/** Runs the trials of a run that have no end yet, with the same plan and seeds, into the same directory. */
export async function resumeRun(request: ResumeRequest, presentation: Presentation): Promise<RunOutcome> {
  refuseUnknownVerdicts(request.retry);
  const { surroundings } = presentation;
  const runs = await openRuns(presentation.out, surroundings);
  const stored = wholeRun(await runs.find(request.run), 'resume');
  const claimed = await runs.claim(stored);
  try {
    const before = await stored.manifest();
    refuseCopied(before);
    const trust = { isTrusted: request.isTrusted, confirm: presentation.confirm };
    await refuseStranger({ directory: stored.place, manifest: before }, trust, surroundings);
    const place = { directory: stored.place, id: before.id };
    await clearLeftovers(place, before.leftovers);
    const prepared = await prepareAgain(before, request, { presentation, out: dirname(stored.place) });
    const changed = changesSince(before, prepared);
    if (changed.length > 0 && !request.acceptChanges) throw changedSince(changed);
    const options = optionsAgain(before, request);
    const judges = await judgesOf(options, prepared);
    await refuseUnknownCost(prepared, options);
    const spent = spentBefore({ manifest: before, settingsOf: (target) => moneyOf(prepared, target) });
    const logged = await readLog(stored, spent);
    const ledger = ledgerFor(options, spent.usd());
    const baselines = openTokenBaselines({ prepared, options, presentation });
    const reporters = await reportersOf(prepared.reporters, presentation);
    const manifest = {
      ...begunAgain(before, prepared, options),
      leftovers: ownLeftovers(place, prepared.settings.workspaceRoot),
      ...(ledger === undefined ? {} : { spent: { usd: spent.usd(), upTo: logged.lastSequence } }),
    };
    // From here on the log alone tells of the run: some of its rows are taken back.
    const run = claimed.open(manifest, redactorFor(prepared));
    const replanned = { prepared, retry: request.retry, isReplanned: changed.length > 0 };
    const earlier = await whatIsLeft(claimed, { ...replanned, ...logged });
    if (ledger !== undefined) presentation.screen.write(spent.uncounted());
    if (baselines !== undefined) await recallTokens(baselines, claimed.run, prepared);
    const left = prepared.plan.size - earlier.ended.size;
    if (left === 0) presentation.screen.write(nothingLeft(before, request));
    await freezePlan(prepared, run);
    const result = await conductRun(
      {
        run,
        presentation,
        reporters,
        ...shownPlan(prepared, surroundings),
        ...earlier,
        ...(left > 0 || before.endedAt === undefined ? {} : { endedAt: before.endedAt }),
        repository: repositoryState(surroundings),
        judges,
        ledger,
      },
      untilStopped(runTrials({ prepared, run, earlier, presentation, ledger, baselines }), earlier),
    );
    baselines?.write(presentation);
    return outcomeOf(result);
  } finally {
    claimed.release();
  }
}

/** What the run was is kept; what it came to is open again. */
function begunAgain(before: Manifest, prepared: PreparedRun, options: RunOptions): Manifest {
  return {
    ...begun(before),
    ...prepared.manifest,
    settings: { ...prepared.manifest.settings, options: keptOptions(before, options) },
    digests: prepared.digests.list,
    state: 'running',
  };
}

function untilStopped(work: RunWork, earlier: Resumption): RunWork {
  return async (...given) => {
    const state = await work(...given);
    if (state !== 'completed') earlier.giveBack();
    return state;
  };
}

function prepareAgain(
  before: Manifest,
  request: ResumeRequest,
  { presentation, out }: { readonly presentation: Presentation; readonly out: string },
): Promise<PreparedRun> {
  const surroundings = { ...presentation.surroundings, cwd: before.cwd };
  return prepareRun({
    options: optionsAgain(before, request),
    surroundings,
    out,
    again: { digests: before.digests, seed: before.seed },
    failedIn: failedTrials,
  });
}

/** What the log tells of the run as a whole. */
type Logged = Pick<Earlier, 'lastSequence' | 'fold'>;

async function readLog(run: StoredRun, spent: SpentBefore): Promise<Logged> {
  const fold = runFold();
  let lastSequence = 0;
  for await (const event of run.events()) {
    lastSequence = event.sequence;
    spent.add(event);
    if (event.fact.type === 'run-start') fold.apply(event);
  }
  return { lastSequence, fold };
}

interface Left extends Logged {
  readonly prepared: PreparedRun;
  readonly retry: readonly string[];
  readonly isReplanned: boolean;
}

/** What is left of a run, some of it ended and to be run again. */
interface Resumption extends Earlier {
  /** Writes the rows of trials that were to be run again and have not ended anew: they stay as they were. */
  giveBack(): void;
}

/** Leaves rows only of trials that stay as they ended, and says what has to be run. */
async function whatIsLeft(claimed: ClaimedRun, what: Left): Promise<Resumption> {
  const { prepared, retry, isReplanned, fold, lastSequence } = what;
  const ended = new Map<string, boolean>();
  const retried = new Map<string, Row>();
  const dropped: string[] = [];
  const attemptsOf = new Map<string, number>();
  const isAsPlanned = comparedWith(prepared);
  const freed = await freedSkips({
    plan: prepared.plan,
    rows: claimed.loggedRows,
    stays: (row) => isAsPlanned(row) && !retry.includes(row.verdict),
  });
  const stays = (row: Row): boolean => {
    const key = trialKey(row);
    if (freed.has(key) || !isAsPlanned(row)) {
      dropped.push(key);
      return false;
    }
    attemptsOf.set(key, row.attempts.length);
    if (retry.includes(row.verdict)) {
      retried.set(key, row);
      return false;
    }
    ended.set(key, row.passed);
    fold.add(row);
    return true;
  };
  await claimed.keepRows(stays);
  await claimed.dropStrayAttempts(attemptsOf);
  return {
    lastSequence,
    ended,
    dropped,
    isReplanned,
    recall(trial) {
      const row = retried.get(trial.key);
      return row === undefined ? trial : { ...trial, earlier: row.attempts };
    },
    fold: {
      ...fold,
      apply(event) {
        if (event.fact.type === 'trial-end' && event.trial !== undefined) retried.delete(event.trial);
        fold.apply(event);
      },
    },
    giveBack() {
      for (const row of retried.values()) fold.add(row);
      claimed.addRows(retried.values());
    },
  };
}

function refuseUnknownVerdicts(retry: readonly string[]): void {
  const unknown = retry.find((verdict) => verdict !== 'errored' && verdict !== 'cancelled');
  if (unknown === undefined) return;
  throw new AssayError('usage', `--retry takes errored and cancelled, not "${unknown}"`, {
    stage: 'plan',
    hint: 'a failed trial is never run again to see whether it passes',
  });
}

function nothingLeft({ id, trials }: Manifest, { retry }: ResumeRequest): string {
  const also = retry.length === 0 ? '' : ` and none is ${retry.join(' or ')}`;
  return `Nothing is left to run in ${id}: all of its ${trials} trials have ended${also}.\n`;
}

function changedSince(changed: readonly string[]): AssayError {
  return new AssayError('run-changed', `changed since the run was planned: ${changed.join(', ')}`, {
    stage: 'plan',
    hint: 'undo the change, or run again only what changed with --accept-changes',
  });
}

/** Only a run that planned its trials itself can plan them again. */
function refuseCopied({ id, kind, sourceRunId, mergedFrom }: Manifest): void {
  if (mergedFrom !== undefined) {
    throw new AssayError('run-not-resumable', `${id} is merged from ${mergedFrom.join(', ')}`, {
      stage: 'plan',
      hint: 'resume these parts with assay resume, each where it is, and merge them again',
    });
  }
  if (kind === 'grade') {
    throw new AssayError('run-not-resumable', `${id} only graded stored transcripts`, {
      stage: 'plan',
      hint: `grade again: assay grade ${sourceRunId ?? ''}`,
    });
  }
}

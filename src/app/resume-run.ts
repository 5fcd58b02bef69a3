import { dirname } from 'node:path';

import { AssayError } from '../core/errors.ts';
import type { Row } from '../core/run.ts';
import { begun, type Manifest } from '../core/manifest.ts';
import { runFold } from '../core/run-view.ts';
import { trialKey } from '../core/trial.ts';
import { findRun, wholeRun } from '../storage/run-directory/find.ts';
import { appendRows } from '../storage/run-directory/append-rows.ts';
import { acquireLock } from '../storage/run-directory/lock.ts';
import { readManifest, writeManifest } from '../storage/run-directory/manifest.ts';
import { trialDirectoryName, type RunPaths } from '../storage/run-directory/paths.ts';
import { removeStrayAttempts } from '../storage/run-directory/stray-attempts.ts';
import { readEvents } from '../storage/run-directory/read-lines.ts';
import { lastRows } from '../storage/run-directory/reader.ts';
import { rewriteRows } from '../storage/run-directory/rewrite-rows.ts';
import { casePlaces } from './plan/case-places.ts';
import { caseSources } from './plan/case-sources.ts';
import { conductRun, type RunWork } from './run/conduct-run.ts';
import { redactorFor } from './run/create-run.ts';
import type { Earlier } from './run/earlier.ts';
import { judgesOf } from './gates/judge-run.ts';
import { failedTrials } from './plan/failed-trials.ts';
import { outcomeOf } from './run/outcome.ts';
import { freezePlan } from './run/frozen-copies.ts';
import { refuseStranger } from './project/trust-run.ts';
import { outputDirectory } from './project/output-directory.ts';
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
  const runs = await outputDirectory(presentation.out, surroundings);
  const { paths } = wholeRun(findRun(request.run, runs, surroundings.cwd), 'resume');
  const lock = acquireLock(paths.lock);
  try {
    const before = readManifest(paths);
    refuseCopied(before);
    const { isTrusted } = request;
    const trust = { isTrusted, confirm: presentation.confirm };
    await refuseStranger({ directory: paths.directory, manifest: before }, trust, surroundings);
    await clearLeftovers({ directory: paths.directory, id: before.id }, before.leftovers);
    const prepared = await prepareAgain(before, request, { presentation, out: dirname(paths.directory) });
    const changed = changesSince(before, prepared);
    if (changed.length > 0 && !request.acceptChanges) throw changedSince(changed);
    const options = optionsAgain(before, request);
    const judges = await judgesOf(options, prepared);
    await refuseUnknownCost(prepared, options);
    const spent = spentBefore({ manifest: before, settingsOf: (target) => moneyOf(prepared, target) });
    const logged = await readLog(paths, spent);
    const ledger = ledgerFor(options, spent.usd());
    const baselines = openTokenBaselines({ prepared, options, presentation });
    const reporters = await reportersOf(prepared.reporters, presentation);
    const manifest = {
      ...begunAgain(before, { prepared, options, paths }),
      ...(ledger === undefined ? {} : { spent: { usd: spent.usd(), upTo: logged.lastSequence } }),
    };
    const run = { paths, manifest, redactor: redactorFor(prepared) };
    // From here on the log alone tells of the run: some of its rows are taken back.
    writeManifest(paths, manifest, run.redactor);
    const { retry } = request;
    const earlier = await whatIsLeft(paths, { prepared, retry, isReplanned: changed.length > 0, ...logged });
    if (ledger !== undefined) presentation.screen.write(spent.uncounted());
    if (baselines !== undefined) await recallTokens(baselines, paths, prepared);
    const left = prepared.plan.size - earlier.ended.size;
    if (left === 0) presentation.screen.write(nothingLeft(before, request));
    await freezePlan(prepared, run);
    const result = await conductRun(
      {
        run,
        presentation,
        reporters,
        projectRoot: prepared.projectRoot,
        placeOf: casePlaces(prepared.plan),
        sourceOf: caseSources(prepared.plan, surroundings.cwd),
        maxErrored: prepared.settings.maxErrored,
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
    lock.release();
  }
}

interface Beginning {
  readonly prepared: PreparedRun;
  readonly options: RunOptions;
  readonly paths: RunPaths;
}

/** What the run was is kept; what it came to is open again. */
function begunAgain(before: Manifest, { prepared, options, paths }: Beginning): Manifest {
  const run = { directory: paths.directory, id: before.id };
  return {
    ...begun(before),
    ...prepared.manifest,
    settings: { ...prepared.manifest.settings, options: keptOptions(before, options) },
    digests: prepared.digests.list,
    leftovers: ownLeftovers(run, prepared.settings.workspaceRoot),
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

async function readLog(paths: RunPaths, spent: SpentBefore): Promise<Logged> {
  const fold = runFold();
  let lastSequence = 0;
  for await (const event of readEvents(paths.events)) {
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
async function whatIsLeft(paths: RunPaths, what: Left): Promise<Resumption> {
  const { prepared, retry, isReplanned, fold, lastSequence } = what;
  const ended = new Map<string, boolean>();
  const retried = new Map<string, Row>();
  const dropped: string[] = [];
  const attemptsOf = new Map<string, number>();
  const isAsPlanned = comparedWith(prepared);
  const freed = await freedSkips({
    plan: prepared.plan,
    rows: () => lastRows(paths.events),
    stays: (row) => isAsPlanned(row) && !retry.includes(row.verdict),
  });
  const stays = (row: Row): boolean => {
    const key = trialKey(row);
    if (freed.has(key) || !isAsPlanned(row)) {
      dropped.push(key);
      return false;
    }
    attemptsOf.set(trialDirectoryName(row), row.attempts.length);
    if (retry.includes(row.verdict)) {
      retried.set(key, row);
      return false;
    }
    ended.set(key, row.passed);
    fold.add(row);
    return true;
  };
  await rewriteRows(paths.rows, lastRows(paths.events), stays);
  await removeStrayAttempts(paths, attemptsOf);
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
      appendRows(paths.rows, retried.values());
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

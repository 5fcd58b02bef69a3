import type { AssayError } from '../../core/errors.ts';
import type { RunLog } from '../../core/log.ts';
import { begun, type Manifest } from '../../core/manifest.ts';
import type { RunEndState } from '../../core/run.ts';
import type { TargetVersions } from '../../core/target.ts';
import type { RunView } from '../../reading/run-view.ts';
import type { EventStream } from '../../engine/event-stream.ts';
import { given } from '../../lib/given.ts';
import { exitCodeOf, noEvidenceText, type RunEnd } from '../exit-code.ts';
import { billableUsd } from '../binding/run-money.ts';
import { logFact } from './log-fact.ts';
import type { DecidedConditions, RunExecution } from './run-execution.ts';
import type { Tally } from '../../reading/tally.ts';
import type { SkipKind } from '../../core/test-case.ts';

export interface RunResult<Decided extends DecidedConditions = DecidedConditions> {
  readonly id: string;
  readonly directory: string;
  readonly exitCode: number;
  readonly view: RunView;
  /** The final manifest. Absent if results could not be written. */
  readonly manifest?: Manifest;
  /** The conditions on the whole run. Absent without conditions, or if results could not be written. */
  readonly decided?: Decided;
  /** Why results could not be written. */
  readonly failure?: AssayError;
}

interface Ending<Decided extends DecidedConditions = DecidedConditions> extends RunExecution<Decided> {
  readonly log: RunLog;
  readonly stream: EventStream;
  readonly state: RunEndState;
  readonly versions: TargetVersions;
}

/** Closes a run and returns its result. Writes `run-end`, then run.json, last. */
export async function endRun<Decided extends DecidedConditions>(
  ending: Ending<Decided>,
): Promise<RunResult<Decided>> {
  const { run, now, state, log, stream, ledger, progress } = ending;
  logFact(stream, now, { type: 'run-state', state, ...reasonOf(ending) });
  await stream.flush();
  log.writeRows();
  const spentUsd = ledger && billableUsd(ledger);
  const manifestNow = await learnedManifest(ending);
  const decided = await ending.decide?.({ run: run.stored, manifest: manifestNow, state, spentUsd });
  const manifest = await writeReports(ending, decided);
  logFact(stream, now, { type: 'run-end', state });
  await stream.flush();
  log.writeRows();
  log.close();
  const { fold, lastSequence } = progress.earlier;
  const { byStatus, costUsd } = fold.ended();
  // Notes of earlier processes are only in the log.
  const events = lastSequence === 0 ? progress.rowless.events() : undefined;
  await run.finish(manifest, { byStatus, costUsd, ...given({ events }) });
  return { ...resultOf(ending, manifest.exitCode), manifest, ...given({ decided }) };
}

/** Writes results.json and the reports. Returns the manifest that they belong to. */
async function writeReports(
  ending: Ending,
  decided: DecidedConditions | undefined,
): Promise<Manifest & { readonly exitCode: number }> {
  const { run, sinks, stream, progress } = ending;
  const write = () => run.writing(async () => sinks.results.close?.());
  const manifest = await closedManifest(ending, decided);
  const cleaned = run.cleaned(manifest);
  progress.close(cleaned);
  await write();
  await stream.close();
  const exitCode = exitCodeOf(endOf(ending, decided));
  if (exitCode === manifest.exitCode) return manifest;
  // Only now is it known that a report could not be written.
  const { noEvidence: _, ...known } = manifest;
  const { noEvidence: __, ...shown } = cleaned;
  progress.close({ ...shown, exitCode });
  await write();
  return { ...known, exitCode };
}

function reasonOf(ending: Ending): { readonly reason?: string } {
  const by = ending.control.stoppedBy();
  if (by !== undefined) return { reason: REASONS[by] };
  return isOutOfMoney(ending) ? { reason: 'budget' } : {};
}

const REASONS = { SIGINT: 'Ctrl-C', SIGTERM: 'SIGTERM', 'server-end': 'the server was stopped' } as const;

/** What is known of a run even if its results could not be written. */
export function resultOf(
  { run, progress }: Pick<RunExecution, 'run' | 'progress'>,
  exitCode: number,
): Pick<RunResult, 'id' | 'directory' | 'exitCode' | 'view'> {
  const view = progress.earlier.fold.view();
  return { id: run.manifest.id, directory: run.stored.place, exitCode, view };
}

function isOutOfMoney({ ledger, state }: Pick<Ending, 'ledger' | 'state'>): boolean {
  return state === 'stopped' && ledger?.refused() !== undefined;
}

function endOf(ending: Ending, decided: DecidedConditions | undefined): RunEnd {
  const { control, maxErrored, run, state } = ending;
  const { fold, distrust } = ending.progress.earlier;
  const { onlookers } = ending.sinks;
  const by = control.stoppedBy();
  const signal = by === 'server-end' ? undefined : by;
  const { total, sinkErrors } = fold.view();
  const { byStatus, counts } = total;
  return {
    state,
    ...given({ signal, judgement: decided?.judgement }),
    resultsWritten: sinkErrors.every(({ sink }) => onlookers.some(({ name }) => name === sink)),
    stoppedByBudget: isOutOfMoney(ending),
    ...given({ untrusted: distrust.why() }),
    failing: byStatus.failed + byStatus['unexpected-passed'],
    errored: counts.errored,
    maxErrored,
    lacksShards: run.manifest.partial?.isAllowed === false,
    nothingMeasured: isUnmeasured(total),
  };
}

/** The manifest with facts from the time of the run: the commit of the project and the versions of programs. */
async function learnedManifest({ run, versions, repository }: Ending): Promise<Manifest> {
  const manifest = begun(run.manifest);
  const targets = manifest.targets.map((target) => ({
    ...target,
    ...given({ versions: versions[target.name] }),
  }));
  return { ...manifest, targets, ...given({ git: await repository }) };
}

async function closedManifest(
  ending: Ending,
  decided: DecidedConditions | undefined,
): Promise<Manifest & { readonly exitCode: number }> {
  const { state, ledger, now } = ending;
  const end = endOf(ending, decided);
  return {
    ...(await learnedManifest(ending)),
    state,
    endedAt: ending.endedAt ?? new Date(now()).toISOString(),
    exitCode: exitCodeOf(end),
    ...given({ noEvidence: noEvidenceText(end) }),
    ...decided?.kept,
    ...(isOutOfMoney(ending) ? { reason: 'budget' } : {}),
    ...given({ spent: ledger && { usd: billableUsd(ledger) } }),
  };
}

/** Whether no trial passed or failed, although not all were skipped by their authors. */
function isUnmeasured({ counts, skippedBy }: Tally): boolean {
  const byAuthor = AUTHORS_SKIPS.reduce((sum, kind) => sum + (skippedBy[kind] ?? 0), 0);
  return counts.passed + counts.failed === 0 && (counts.total === 0 || byAuthor < counts.total);
}

/** Skips by authors. A trial skipped because of a dependency counts like that dependency. */
const AUTHORS_SKIPS: readonly SkipKind[] = ['draft', 'archived', 'skip', 'dependency'];

import { messageOf } from '../core/errors.ts';
import type { Tally } from '../reading/tally.ts';
import { undoneIn } from '../reading/undone.ts';
import type { ManifestHead, StoredRun } from '../core/run-store.ts';
import { given } from '../lib/given.ts';
import { stripLine } from '../lib/text/terminal-text.ts';
import { leavesOutcomes, outcomesOf, outcomeText, UNJUDGED } from '../reading/outcomes.ts';
import { costsText } from '../reading/phrases.ts';
import { outputDirectory } from './project/output-directory.ts';
import { runsIn, runsOfStore } from './runs.ts';
import type { Surroundings } from './surroundings.ts';
import { printableLine } from '../lib/text/printable-json.ts';

export interface ListRequest {
  readonly out?: string;
  readonly limit: number;
  readonly form: 'text' | 'json';
}

/** Stored runs, newest first: id, state, outcomes and suites. */
export async function describeRuns(request: ListRequest, surroundings: Surroundings): Promise<string> {
  const { runs, place } = await listedRuns(request, surroundings);
  const ids = (await runs.list()).toReversed().slice(0, request.limit);
  if (ids.length === 0 && request.form === 'text') return `no runs found in ${place}\n`;
  let text = '';
  for (const id of ids) text += await entryOf(runs.open(id), request.form);
  return text;
}

async function listedRuns({ out }: ListRequest, surroundings: Surroundings) {
  if (surroundings.prefers === 'store') return { runs: await runsOfStore(surroundings), place: 'the store' };
  const place = await outputDirectory(out, surroundings);
  return { runs: runsIn(place, surroundings), place };
}

/** An unreadable run is listed with its error, so that the others are still shown. */
async function entryOf(run: StoredRun, form: ListRequest['form']): Promise<string> {
  try {
    const described = await describe(run);
    return form === 'json' ? printableLine(described) : lineOf(described);
  } catch (error) {
    const message = messageOf(error);
    if (form === 'json') return printableLine({ id: run.name, state: 'unreadable', error: message });
    return `${stripLine(`${run.name}  ${'unreadable'.padEnd(11)}  ${message}`)}\n`;
  }
}

async function describe(run: StoredRun) {
  const head = await run.head();
  const { id, kind, startedAt, suites, targets, trials, exitCode, partial } = head;
  const state = await run.state(head);
  const byStatus = withUndone(await run.counts(head), head);
  const costs = await run.costs(head);
  const names = { suites: suites.map((suite) => suite.id), targets: targets.map((target) => target.name) };
  return {
    id,
    kind,
    state,
    startedAt,
    ...names,
    trials,
    ...given({ partial }),
    counts: countsOf(byStatus),
    byStatus,
    ...(leavesOutcomes(head) ? { isUnjudged: true } : {}),
    costUsd: costs ?? null,
    exitCode: exitCode ?? null,
  };
}

/** Trials that a stopped run did not start have no row and count as skipped. */
function withUndone(byStatus: Tally['byStatus'], head: ManifestHead): Tally['byStatus'] {
  if (undoneIn(head) === undefined) return byStatus;
  const left = Math.max(0, head.trials - countsOf(byStatus).total);
  return { ...byStatus, skipped: byStatus.skipped + left };
}

/** Counts by verdict, as in all JSON output. */
function countsOf(byStatus: Tally['byStatus']) {
  const { 'expected-failed': expected, 'unexpected-passed': unexpected, ...same } = byStatus;
  const total = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
  return { total, ...same, passed: same.passed + unexpected, failed: same.failed + expected };
}

/** Always shown, even with 0 trials. */
const USUAL: readonly string[] = ['passed', 'failed', 'errored'];

/** One line of text, with the same counts as the end of the run. */
function lineOf(run: Awaited<ReturnType<typeof describe>>): string {
  const { total } = run.counts;
  const suites = run.suites.length > 2 ? `${run.suites.length} suites` : run.suites.join(', ');
  const state = run.kind === 'grade' ? `${run.state} (grade)` : run.state;
  const counts = outcomesOf({ byStatus: run.byStatus, skippedBy: {} })
    .filter(({ title, count }) => count > 0 || USUAL.includes(title))
    .map((outcome) => (outcome.title === 'skipped' ? `${outcome.count} skipped` : outcomeText(outcome)))
    .join(', ');
  const missing = total < run.trials ? ` (${run.trials - total} without outcome)` : '';
  const partial =
    run.partial === undefined ? '' : ` (partial: without ${run.partial.missingShards.join(', ')})`;
  const cost = run.costUsd === null ? undefined : costsText(run.costUsd);
  const spent = cost === undefined || cost === 'unknown' ? '' : `  ${cost}`;
  const unjudged = run.isUnjudged ? `, ${UNJUDGED}` : '';
  const what = `${suites}  -> ${run.targets.join(', ')}`;
  return `${stripLine(`${run.id}  ${state.padEnd(11)}  ${counts} of ${run.trials}${missing}${unjudged}${partial}${spent}  ${what}`)}\n`;
}

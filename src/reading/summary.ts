import type { RunReader } from '../core/log.ts';
import type { Row } from '../core/run.ts';
import type { ManifestHead } from '../core/run-store.ts';
import { runFold, type RunView, type TargetView } from './run-view.ts';
import { plural } from '../lib/text/plural.ts';
import { spreadOf, type Spread } from '../lib/spread.ts';
import { type CaseCounts, caseCounts } from './case-counts.ts';
import { type CaseRates, caseRatesOf, weightsOf } from './case-rates.ts';
import { derivedTotals, type DerivedTotals } from './derived-totals.ts';
import { type GraderCounts, graderCounts, type GraderTotals } from './grader-totals.ts';
import { needsAttention } from './phrases.ts';
import { type SteeredTrials, steeringText } from './steering.ts';

/** The totals of a stored run, with the first trials that need attention. */
export interface Summary {
  readonly manifest: ManifestHead;
  readonly view: RunView;
  /** Failed and unexpectedly passed trials. */
  readonly failed: readonly Row[];
  /** Errored trials; of those with the same error only the first. */
  readonly errored: readonly Row[];
  /** The other trials with the same error, by the first one. */
  readonly sameError: ReadonlyMap<Row, SameError>;
  readonly expectedFailed: readonly Row[];
  readonly skipped: readonly Row[];
  /** Trials with notes, such as a failed teardown, that otherwise need no attention. */
  readonly withNotes: { readonly count: number; readonly first?: Row };
  readonly steered: SteeredTrials;
  /** Number of trials whose answer comes from an earlier run. */
  readonly cached: number;
  /** Whether any case was repeated. */
  readonly repeated: boolean;
  /** Of the whole run. */
  readonly totalRates: CaseRates;
  /** By target. */
  readonly rates: ReadonlyMap<string, CaseRates>;
  /** Time of the agent's turns in measured trials, in milliseconds, by target. */
  readonly latency: ReadonlyMap<string, Spread>;
  readonly graders: readonly GraderTotals[];
  readonly derived: readonly DerivedTotals[];
}

/** Trials with the same error, without the first of them. */
export interface SameError {
  readonly count: number;
  /** Ids of the first cases, each once. */
  readonly cases: readonly string[];
  /** Whether `cases` is not complete. */
  readonly hasMore: boolean;
}

const NAMED_CASES = 5;

/** Collects a run row by row, and keeps at most `limit` rows of each kind. */
export interface SummaryCollector {
  add(row: Row): void;
  summary(manifest: ManifestHead, view: RunView): Summary;
}

/** `cases`: counted over the same rows by the caller. */
export function collectSummary(limit: number, cases: CaseCounts): SummaryCollector {
  const failed: Row[] = [];
  const errored: Row[] = [];
  const firstOf = new Map<string, Row>();
  const sameError = new Map<Row, SameError>();
  const expectedFailed: Row[] = [];
  const skipped: Row[] = [];
  let withNotes: Summary['withNotes'] = { count: 0 };
  let steered: SteeredTrials = { count: 0 };
  let cached = 0;
  let repeated = false;
  const latencies = new Map<string, number[]>();
  const graders = graderCounts();
  return {
    add(row) {
      graders.add(row);
      repeated ||= row.repetition > 1;
      if (row.cached !== undefined) cached += 1;
      addLatency(latencies, row);
      if (row.notes !== undefined && (row.status === 'passed' || row.status === 'expected-failed')) {
        withNotes = { first: withNotes.first ?? row, count: withNotes.count + 1 };
      }
      if (steeringText(row) !== undefined) {
        steered = { first: steered.first ?? row, count: steered.count + 1 };
      }
      if (row.status === 'skipped' && skipped.length < limit) skipped.push(row);
      const first = row.status === 'errored' ? firstOf.get(errorKey(row)) : undefined;
      if (first !== undefined) {
        sameError.set(first, withCase(sameError.get(first), row));
        return;
      }
      if (row.status === 'errored' && row.error !== undefined && errored.length < limit) {
        firstOf.set(errorKey(row), row);
      }
      const list =
        row.status === 'expected-failed' ? expectedFailed : row.status === 'errored' ? errored : failed;
      if ((list !== failed || needsAttention(row)) && list.length < limit) list.push(row);
    },
    summary: (manifest, view) => {
      const rates = caseRatesOf(cases.tallies(), weightsOf(manifest));
      return {
        manifest,
        view: { ...view, targets: inConfigOrder(view.targets, manifest) },
        failed,
        errored,
        sameError,
        expectedFailed,
        skipped,
        withNotes,
        steered,
        cached,
        repeated,
        totalRates: rates.total,
        rates: rates.byTarget,
        ...graderTotalsOf(graders, manifest),
        latency: new Map([...latencies].map(([target, values]) => [target, spreadOf(values)])),
      };
    },
  };
}

function graderTotalsOf(counts: GraderCounts, manifest: ManifestHead): Pick<Summary, 'graders' | 'derived'> {
  const graders = counts.totals(manifest.targets.map(({ name }) => name));
  return { graders, derived: derivedTotals(graders, manifest) };
}

function errorKey({ error }: Row): string {
  return JSON.stringify([error?.stage, error?.kind, error?.message]);
}

function withCase(same: SameError | undefined, { caseId }: Row): SameError {
  const { count, cases, hasMore } = same ?? { count: 0, cases: [], hasMore: false };
  if (cases.includes(caseId)) return { count: count + 1, cases, hasMore };
  return cases.length < NAMED_CASES
    ? { count: count + 1, cases: [...cases, caseId], hasMore }
    : { count: count + 1, cases, hasMore: true };
}

/** Rows arrive in the order in which trials end, but targets are shown in the order of the config. */
export function inConfigOrder(
  targets: readonly TargetView[],
  { targets: written }: Pick<ManifestHead, 'targets'>,
): readonly TargetView[] {
  const places = new Map(written.map(({ name }, place) => [name, place]));
  const placeOf = ({ target }: TargetView) => places.get(target) ?? written.length;
  return [...targets].sort((left, right) => placeOf(left) - placeOf(right));
}

function addLatency(latencies: Map<string, number[]>, { target, verdict, latency = [] }: Row): void {
  if (verdict !== 'passed' && verdict !== 'failed') return;
  const own = latencies.get(target) ?? [];
  latencies.set(target, own);
  for (const ms of latency) own.push(ms);
}

/** Reads a stored run once. */
export async function readSummary(reader: RunReader, limit: number): Promise<Summary> {
  const cases = caseCounts();
  const collector = collectSummary(limit, cases);
  const fold = runFold();
  for await (const row of reader.rows()) {
    cases.add(row);
    collector.add(row);
    fold.add(row);
  }
  const manifest = await reader.manifest();
  // Notes, and trials that the budget prevented, have no row. Only the log of the run contains them.
  for await (const event of reader.runEvents?.() ?? []) fold.apply(event);
  return collector.summary(manifest, fold.view());
}

/** Number of trials that need attention, without the `shown` rows and the trials with the same error. */
export function notShown(summary: Summary, shown: readonly Row[]): number {
  const { failed, errored, 'unexpected-passed': unexpected } = summary.view.total.byStatus;
  const told = shown.reduce((sum, row) => sum + 1 + (summary.sameError.get(row)?.count ?? 0), 0);
  return failed + errored + unexpected - told;
}

/** `The same error in 8 more trials: a, b, ...`; undefined without such trials. */
export function sameErrorText(same: SameError | undefined): string | undefined {
  if (same === undefined) return undefined;
  const more = same.hasMore ? ', ...' : '';
  return `The same error in ${plural(same.count, 'more trial')}: ${same.cases.join(', ')}${more}`;
}

/** How repetitions affect an interval. */
export const REPETITIONS_NOTE =
  'Repetitions of one case are similar, so they count as one trial in the interval of a rate.';

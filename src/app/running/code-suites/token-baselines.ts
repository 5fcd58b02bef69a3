import {
  baselineFault,
  meanTokens,
  pairName,
  type MeasuredTokens,
  type TokenBaseline,
} from '../../../analysis/token-baseline.ts';
import { AssayError } from '../../../core/errors.ts';
import type { TrialId } from '../../../core/trial.ts';
import type { UsageReport } from '../../../core/session-report.ts';
import type { StoredRun } from '../../../core/run-store.ts';
import { readTokenBaselines, writeTokenBaselines } from '../../../storage/token-baseline-file.ts';
import type { BoundRun } from '../../binding/bind.ts';
import type { Surroundings } from '../../surroundings.ts';
import { shownPath } from '../../project/project-root.ts';
import { resultOf } from './runner-results.ts';

/** Identifies a cell: a case on a target. */
export type Cell = Omit<TrialId, 'repetition'>;

/** Compares the token usage of code-suite cases with the recorded baselines. */
export interface TokenBaselines {
  /** Whether the plan has cases of code suites. */
  readonly hasCells: boolean;
  /** Adds a finished trial, with its usage if it counts. After the last trial of a cell, returns why the cell fails, if it does. */
  ended(cell: Cell, usage: UsageReport | undefined): string | undefined;
  /** Writes new baselines and returns a message about them. Undefined if nothing is new. */
  write(): string | undefined;
}

export interface BaselineRequest {
  readonly bound: BoundRun;
  /** In CI, a missing entry is an error. */
  readonly ci: boolean;
  readonly surroundings: Pick<Surroundings, 'cwd' | 'now'>;
}

/** Undefined if baselines are not configured. */
export function openTokenBaselines(request: BaselineRequest): TokenBaselines | undefined {
  const { bound, ci, surroundings } = request;
  const { machine, spec } = bound;
  const updates = spec.options.updateSnapshots ?? false;
  const { snapshots } = machine.run;
  if (!snapshots.isWanted && !updates) return undefined;
  const remaining = plannedCells(bound);
  const entries = new Map(readTokenBaselines(snapshots.path).map((entry) => [pairName(entry), entry]));
  const values = new Map<string, (number | undefined)[]>();
  const recorded: string[] = [];

  const decide = (measured: MeasuredTokens): string | undefined => {
    const pair = pairName(measured);
    const known = entries.get(pair);
    const value = meanTokens(measured);
    if (value === undefined || (!updates && (known !== undefined || ci)))
      return baselineFault(measured, known, snapshots.tolerance);
    const isSame = known !== undefined && known.value === value && isOfSame(known, measured);
    if (isSame) return undefined;
    const { values: _, ...which } = measured;
    entries.set(pair, { ...which, value, updatedAt: new Date(surroundings.now()).toISOString() });
    recorded.push(`${pair} (${value} ${measured.metric})`);
    return undefined;
  };

  return {
    hasCells: remaining.size > 0,
    ended(cell, usage) {
      const key = keyOf(cell);
      const rest = (remaining.get(key) ?? 0) - 1;
      remaining.set(key, rest);
      const seen = values.get(key) ?? [];
      values.set(key, seen);
      if (usage !== undefined) seen.push(usage[snapshots.metric]);
      if (rest !== 0 || seen.length === 0) return undefined;
      const { type, model } = machine.code.runnerOf(cell.target).agent;
      const which = { caseId: cell.caseId, runnerId: cell.target, agentType: type, model };
      return decide({ ...which, metric: snapshots.metric, values: seen });
    },
    write() {
      if (recorded.length === 0) return undefined;
      writeTokenBaselines(snapshots.path, [...entries.values()], pairName);
      const file = shownPath(snapshots.path, surroundings.cwd);
      return `Token baselines recorded in ${file}: ${recorded.join(', ')}\n`;
    },
  };
}

/** Adds the token usage of trials in earlier processes of the run. */
export async function recallTokens(
  baselines: TokenBaselines,
  run: StoredRun,
  { machine: { code } }: BoundRun,
): Promise<void> {
  for await (const row of run.rows()) {
    const source = { run, runner: code.runnerOf(row.target), case: { prompt: '' } };
    const counts = row.status === 'passed' || row.status === 'expected-failed';
    baselines.ended(row, counts ? resultOf(row, source).report.usage : undefined);
  }
}

function isOfSame(known: TokenBaseline, { metric, agentType, model }: MeasuredTokens): boolean {
  return known.metric === metric && known.agentType === agentType && known.model === model;
}

function keyOf({ suite, caseId, target }: Cell): string {
  return JSON.stringify([suite, caseId, target]);
}

/** Number of trials per cell. Throws if two cells have the same name, because they would overwrite each other. */
function plannedCells({ plan }: BoundRun): Map<string, number> {
  const remaining = new Map<string, number>();
  const suiteOf = new Map<string, string>();
  for (const { suite: position, index, targets, repeat } of plan.cases) {
    const suite = plan.suites[position];
    const testCase = suite?.cases.at(index);
    if (suite === undefined || testCase?.module === undefined) continue;
    for (const target of targets) {
      const pair = pairName({ caseId: testCase.id, runnerId: target });
      const other = suiteOf.get(pair);
      if (other !== undefined) throw twice(pair, [other, suite.id]);
      suiteOf.set(pair, suite.id);
      remaining.set(keyOf({ suite: suite.id, caseId: testCase.id, target }), repeat);
    }
  }
  return remaining;
}

function twice(pair: string, suites: readonly string[]): AssayError {
  return new AssayError(
    'snapshots-ambiguous',
    `${pair} is in ${suites.join(' and in ')}, so its stored token count is ambiguous`,
    { stage: 'plan', hint: 'use different case ids, or run the suites separately' },
  );
}

import { askedConditions, type AskedConditions } from '../gates/run-conditions.ts';
import { reportersOf } from '../present/reporters.ts';
import type { BoundRun } from '../binding/bind.ts';
import { openTokenBaselines, type TokenBaselines } from '../running/code-suites/token-baselines.ts';
import { handsOf } from '../running/choose-hands.ts';
import { requireSandboxes } from '../binding/require-sandboxes.ts';
import { refuseUnknownCost } from '../binding/run-money.ts';
import type { PresentedRun } from './present-run.ts';
import type { RunSite } from './run-site.ts';
import { AssayError } from '../../core/errors.ts';

/** What is opened before a run begins, and what its trials need besides the plan. */
export interface PreparedTrials extends Pick<PresentedRun, 'reporters' | 'ledger'> {
  readonly tokenBaselines: TokenBaselines | undefined;
}

/** The conditions on a bound run. Throws if they cannot be met, or if a cost limit is set and a cost is unknown. */
export async function checkedConditions(bound: BoundRun): Promise<AskedConditions | undefined> {
  const conditions = await askedConditions(bound);
  await refuseUnknownCost(bound);
  return conditions;
}

/** Throws if the sandboxes of a run cannot be used, or the reason of an interrupt meanwhile. `spentUsd`: the cost of its earlier processes in US dollars. */
export async function prepareTrials(
  bound: BoundRun,
  site: RunSite,
  spentUsd?: number,
): Promise<PreparedTrials> {
  const { surroundings, presentation } = site;
  const { maxCostUsd } = bound.spec.options;
  const hands = handsOf(surroundings);
  await requireSandboxes(bound, site.interrupt.stop);
  const tokenBaselines = openTokenBaselines({ bound, ci: presentation.ci, surroundings });
  if (!hands.areHere) refuseLocalOfWorkers(bound, tokenBaselines);
  return {
    ledger: maxCostUsd === undefined ? undefined : hands.openLedger(maxCostUsd, spentUsd),
    tokenBaselines,
    reporters: await reportersOf(bound.machine.run.reporters, site),
  };
}

/** Throws if workers would run trials whose results depend on files of this process. */
function refuseLocalOfWorkers({ spec, machine }: BoundRun, tokenBaselines: TokenBaselines | undefined): void {
  const { cassette } = spec.options;
  if (tokenBaselines?.hasCells === true)
    throw refused(
      '`snapshots`',
      'the baseline of a case is checked and recorded in a file of one machine',
      'start the suites with snapshots without --workers, and the others with it',
    );
  if (cassette !== undefined && cassette.mode !== 'replay')
    throw refused(`--mode ${cassette.mode}`, 'each worker would record answers on its own machine');
  if ((spec.options.cache ?? machine.run.cache) === true)
    throw refused(
      spec.options.cache === true ? '`--cache`' : '`run.cache`',
      'answers are cached on one machine',
      'use --no-cache, or start the run without --workers',
    );
}

function refused(what: string, why: string, hint = 'start the run without --workers'): AssayError {
  return new AssayError('usage', `${what} cannot be used with --workers: ${why}`, { stage: 'plan', hint });
}

import type { Manifest } from '../../core/manifest.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { PreparedRun } from '../plan/prepare-run.ts';
import type { RunOptions } from '../run-options.ts';

/** What can be said anew when a run goes on. */
export type AskedAgain = Pick<RunOptions, 'concurrency' | 'maxCostUsd' | 'allowUnknownCost'>;

/** What the run was started with, under what is said now. */
export function optionsAgain({ settings }: Manifest, asked: AskedAgain): RunOptions {
  const { options } = settings as unknown as { readonly options: RunOptions };
  const { concurrency, maxCostUsd, allowUnknownCost } = asked;
  return {
    ...options,
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
    ...(allowUnknownCost === undefined ? {} : { allowUnknownCost }),
  };
}

/** A cap that was raised stays raised for whoever resumes next. */
export function keptOptions(
  { settings }: Manifest,
  { maxCostUsd, allowUnknownCost }: RunOptions,
): JsonObject {
  return {
    ...(settings['options'] as JsonObject),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
    ...(allowUnknownCost === undefined ? {} : { allowUnknownCost }),
  };
}

/** How the money of a target is counted; undefined where it costs nothing. */
export function moneyOf({ targets, settingsFor }: PreparedRun, target: string) {
  return targets.get(target)?.plugin.isFree === true ? undefined : settingsFor({}, target);
}

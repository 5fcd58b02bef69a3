import { randomInt } from 'node:crypto';

import type { RunSettings } from '../../authoring/config/run-settings.ts';
import { mergeLimits } from '../../core/limits.ts';
import { flagLimits } from '../binding/trial-settings.ts';
import type { RunOptions } from '../../core/run-options.ts';
import { given } from '../../lib/given.ts';

/** The settings of a run: flags override the config, which overrides defaults. */
export interface EffectiveSettings extends RunSettings {
  readonly seed: number;
  readonly failFast: boolean;
  /** Cost limit of the whole run, in US dollars. */
  readonly maxCostUsd?: number;
}

/** `seed`: the seed of an earlier process of the same run. */
export function effectiveSettings(
  settings: RunSettings,
  options: RunOptions,
  seed: number | undefined,
): EffectiveSettings {
  return {
    ...settings,
    seed: seed ?? options.seed ?? settings.seed ?? randomInt(2 ** 31),
    concurrency: options.concurrency ?? settings.concurrency,
    maxErrored: options.maxErrored ?? settings.maxErrored,
    failFast: options.failFast ?? false,
    ...given({ maxCostUsd: options.maxCostUsd }),
    threshold: options.threshold ?? settings.threshold,
    limits: mergeLimits(settings.limits, flagLimits(options)),
  };
}

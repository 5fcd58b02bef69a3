import { mergeLimits, type Limits } from '../../core/limits.ts';
import type { TestCase } from '../../core/test-case.ts';
import type { TrialSettings } from '../../engine/parts.ts';
import { type EffectiveSettings, flagLimits } from './effective-settings.ts';
import type { RunOptions } from '../run-options.ts';
import type { UsedTarget } from '../run/target-pool.ts';

export interface SettingsSource {
  readonly options: RunOptions;
  readonly settings: EffectiveSettings;
  readonly targets: ReadonlyMap<string, UsedTarget>;
}

/** What a case may set itself. */
export type OwnSettings = Pick<TestCase, 'limits' | 'threshold' | 'maxTurns'>;

const MAX_OWN = 10;

/** Collects what cases set themselves, each once and only the first few. */
export function ownSettingsList() {
  const list: OwnSettings[] = [];
  const known = new Set<string>();
  return {
    list: list as readonly OwnSettings[],
    add(own: OwnSettings): void {
      if (known.size >= MAX_OWN) return;
      const { limits, threshold, maxTurns } = own;
      const text = isPlain(own) ? '' : JSON.stringify([limits, threshold, maxTurns]);
      if (known.has(text)) return;
      known.add(text);
      list.push({
        ...(limits === undefined ? {} : { limits }),
        ...(threshold === undefined ? {} : { threshold }),
        ...(maxTurns === undefined ? {} : { maxTurns }),
      });
    },
  };
}

/** What a trial is held to: flag, then test, target, config, default; computed once a target for plain cases. */
export function trialSettings(
  source: SettingsSource,
): (testCase: OwnSettings, target: string) => TrialSettings {
  const plain = new Map<string, TrialSettings>();
  return (testCase, target) => {
    if (!isPlain(testCase)) return settingsOf(source, target, testCase);
    const known = plain.get(target) ?? settingsOf(source, target, {});
    plain.set(target, known);
    return known;
  };
}

function isPlain({ limits, threshold, maxTurns }: OwnSettings): boolean {
  return limits === undefined && threshold === undefined && maxTurns === undefined;
}

function settingsOf(
  { options, settings, targets }: SettingsSource,
  target: string,
  testCase: OwnSettings,
): TrialSettings {
  const used = targets.get(target);
  const own = used?.settings;
  const { timeoutMs: turnTimeoutMs, idleTimeoutMs, price } = own ?? {};
  const ofTarget = {
    ...(turnTimeoutMs === undefined ? {} : { turnTimeoutMs }),
    ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
  };
  const limits = mergeLimits(settings.limits, ofTarget, testCase.limits, flagLimits(options));
  const ceilingUsd = used === undefined ? undefined : ceilingOf(used, limits);
  return {
    limits: { ...limits, maxTurns: smaller(limits.maxTurns, testCase.maxTurns) },
    onLimit: options.onLimit ?? 'error',
    threshold: options.threshold ?? testCase.threshold ?? settings.threshold,
    retryInfrastructure: own?.retryInfrastructure ?? settings.retryInfrastructure,
    ...(price === undefined ? {} : { price }),
    ...(used?.plugin.tellsToolCalls?.(used.settings.config) === true ? { tellsToolCalls: true } : {}),
    ...(used === undefined || used.plugin.isFree === true ? {} : { isPaid: true }),
    ...(ceilingUsd === undefined ? {} : { ceilingUsd: ceilingUsd ?? 0 }),
  };
}

/** Two caps are one: the smaller. */
function smaller(limit: number | null, own: number | undefined): number | null {
  if (limit === null || own === undefined) return own ?? limit;
  return Math.min(limit, own);
}

/**
 * USD that a session of a target can cost at most, by what was declared; null: nobody says. Undefined: it costs
 * nothing, or is counted call by call.
 */
export function ceilingOf({ plugin, settings }: UsedTarget, limits: Limits): number | null | undefined {
  if (plugin.isFree === true || plugin.asModel !== undefined) return undefined;
  if (limits.maxCostUsd !== null) return limits.maxCostUsd;
  if (settings.price === undefined) return null;
  const { input, output, cacheRead = 0, cacheWrite = 0 } = settings.price;
  const dearest = Math.max(input, output, cacheRead, cacheWrite);
  if (dearest === 0) return 0;
  return limits.maxTokens === null ? null : (limits.maxTokens * dearest) / 1e6;
}

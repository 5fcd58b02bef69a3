import { mergeLimits, type Limits } from '../../core/limits.ts';
import type { TestCase } from '../../core/test-case.ts';
import type { TrialSettings } from '../../engine/trial-context.ts';
import type { RunOptions } from '../../core/run-options.ts';
import type { SpecSettings } from '../../core/run-spec.ts';
import type { BoundRun } from './bind.ts';
import type { UsedTarget } from './target-pool.ts';
import { given } from '../../lib/given.ts';

/** The sources of trial settings. */
export interface SettingsSource {
  readonly options: Pick<RunOptions, 'timeoutMs' | 'maxSteps' | 'onLimit' | 'threshold'>;
  readonly settings: Pick<SpecSettings, 'limits' | 'threshold' | 'retryInfrastructure'>;
  readonly targets: ReadonlyMap<string, UsedTarget>;
}

/** The settings that a case can override. */
export type OwnSettings = Pick<TestCase, 'limits' | 'threshold' | 'maxTurns'>;

const MAX_OWN = 10;

/** Collects distinct settings of cases, only the first few. */
export function ownSettingsList() {
  const list: OwnSettings[] = [];
  const known = new Set<string>();
  let last: OwnSettings | undefined;
  return {
    list: list as readonly OwnSettings[],
    add(own: OwnSettings): void {
      if (known.size >= MAX_OWN) return;
      const { limits, threshold, maxTurns } = own;
      // Most cases have those of the case before.
      if (last !== undefined && last.limits === limits && last.threshold === threshold)
        if (last.maxTurns === maxTurns) return;
      last = own;
      const text = limits === undefined ? plainKey(own) : JSON.stringify([limits, threshold, maxTurns]);
      if (known.has(text)) return;
      known.add(text);
      list.push(given({ limits, threshold, maxTurns }));
    },
  };
}

/** Returns the settings of trials in a bound run. */
export function settingsIn({ spec, use }: Pick<BoundRun, 'spec' | 'use'>) {
  return trialSettings({ options: spec.options, settings: spec.settings, targets: use.targets });
}

/** The settings of a trial, in the order flag, test, target, config, default. Cached for each target, threshold and number of turns. */
export function trialSettings(
  source: SettingsSource,
): (testCase: OwnSettings, target: string) => TrialSettings {
  const plain = new Map<string, TrialSettings>();
  let last: { readonly own: OwnSettings; readonly target: string; readonly made: TrialSettings } | undefined;
  return (testCase, target) => {
    if (testCase.limits !== undefined) return settingsOf(source, target, testCase);
    const { threshold, maxTurns } = testCase;
    if (last?.target === target && last.own.threshold === threshold && last.own.maxTurns === maxTurns)
      return last.made;
    // Cases of a store have a threshold and a number of turns, and few different ones.
    const key = `${plainKey(testCase)} ${target}`;
    const made = plain.get(key) ?? settingsOf(source, target, testCase);
    plain.set(key, made);
    last = { own: testCase, target, made };
    return made;
  };
}

/** The settings of a case without limits of its own. Empty: the case does not set it. */
function plainKey({ threshold, maxTurns }: OwnSettings): string {
  return `${threshold ?? ''} ${maxTurns ?? ''}`;
}

function settingsOf(
  { options, settings, targets }: SettingsSource,
  target: string,
  testCase: OwnSettings,
): TrialSettings {
  const used = targets.get(target);
  const own = used?.settings;
  const { timeoutMs: turnTimeoutMs, idleTimeoutMs, price } = own ?? {};
  const ofTarget = given({ turnTimeoutMs, idleTimeoutMs });
  const limits = mergeLimits(settings.limits, ofTarget, testCase.limits, flagLimits(options));
  const ceilingUsd = used === undefined ? undefined : ceilingOf(used, limits);
  return {
    limits: { ...limits, maxTurns: smaller(limits.maxTurns, testCase.maxTurns) },
    onLimit: options.onLimit ?? 'error',
    threshold: options.threshold ?? testCase.threshold ?? settings.threshold,
    retryInfrastructure: own?.retryInfrastructure ?? settings.retryInfrastructure,
    ...given({ price }),
    ...(used?.plugin.tellsToolCalls?.(used.settings.config) === true ? { tellsToolCalls: true } : {}),
    ...(used === undefined || used.plugin.isFree === true ? {} : { isPaid: true }),
    ...(ceilingUsd === undefined ? {} : { ceilingUsd: ceilingUsd ?? 0 }),
  };
}

/** Limits of flags, which override those of a test. */
export function flagLimits({
  timeoutMs,
  maxSteps,
}: Pick<RunOptions, 'timeoutMs' | 'maxSteps'>): Partial<Limits> {
  return given({ timeoutMs, maxSteps });
}

/** The smaller of two limits. */
function smaller(limit: number | null, own: number | undefined): number | null {
  if (limit === null || own === undefined) return own ?? limit;
  return Math.min(limit, own);
}

/**
 * Highest cost of a session of a target in US dollars, from its settings. Null if unknown. Undefined if it is free
 * or counted per call.
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

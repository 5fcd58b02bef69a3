import { mergeLimits } from '../core/limits.ts';
import type { TestCase } from '../core/test-case.ts';
import type { TrialSettings } from '../engine/parts.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import type { RunOptions } from './run-options.ts';
import type { UsedTarget } from './target-pool.ts';

export interface SettingsSource {
  readonly options: RunOptions;
  readonly settings: EffectiveSettings;
  readonly targets: ReadonlyMap<string, UsedTarget>;
}

/** What a trial is held to: flag, then test, target, config, default; computed once a target for plain cases. */
export function trialSettings(source: SettingsSource): (testCase: TestCase, target: string) => TrialSettings {
  const plain = new Map<string, TrialSettings>();
  return (testCase, target) => {
    if (testCase.limits !== undefined || testCase.threshold !== undefined) {
      return settingsOf(source, target, testCase);
    }
    const known = plain.get(target) ?? settingsOf(source, target, {});
    plain.set(target, known);
    return known;
  };
}

function settingsOf(
  { options, settings, targets }: SettingsSource,
  target: string,
  testCase: Pick<TestCase, 'limits' | 'threshold'>,
): TrialSettings {
  const own = targets.get(target)?.settings;
  const { timeoutMs: turnTimeoutMs, idleTimeoutMs, price } = own ?? {};
  const ofTarget = {
    ...(turnTimeoutMs === undefined ? {} : { turnTimeoutMs }),
    ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
  };
  const ofFlags = {
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps }),
  };
  return {
    limits: mergeLimits(settings.limits, ofTarget, testCase.limits, ofFlags),
    threshold: options.threshold ?? testCase.threshold ?? settings.threshold,
    retryInfrastructure: own?.retryInfrastructure ?? settings.retryInfrastructure,
    ...(price === undefined ? {} : { price }),
  };
}

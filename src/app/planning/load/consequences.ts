import type { Problem } from '../../../core/problem.ts';

/** Codes of problems that may only be consequences of an invalid setting, by that setting. */
const CONSEQUENCES: Readonly<Record<string, readonly string[]>> = {
  'no-judge': ['judge'],
  'nothing-to-grade': ['judge', 'metrics', 'run.expectations'],
  'no-user': ['user', 'run.limits', 'run.maxSteps'],
  'nothing-to-say': ['user'],
  'one-turn-only': ['run.limits'],
  'no-default-target': ['target', 'targets'],
  'no-target': ['target', 'targets'],
  'unknown-target': ['target', 'targets'],
  'credentials-missing': ['models'],
  'base-url-missing': ['models'],
  'package-missing': ['models'],
  'provider-unknown': ['models'],
  'unknown-handler': ['worlds'],
  'handlers-of-two-worlds': ['worlds'],
};

/** Whether a problem is independent of the settings that were dropped. */
export function isNoConsequenceOf(omitted: ReadonlySet<string>): (problem: Problem) => boolean {
  return ({ code }) => !(CONSEQUENCES[code] ?? []).some((setting) => omitted.has(setting));
}

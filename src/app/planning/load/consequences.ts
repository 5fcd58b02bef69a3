import type { Problem } from '../../../core/problem.ts';

/** Problems that may only be there because a setting is wrong and was left out, by their codes. */
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

/** Whether a problem stands by itself, however the settings that were left out will look. */
export function isNoConsequenceOf(left: ReadonlySet<string>): (problem: Problem) => boolean {
  return ({ code }) => !(CONSEQUENCES[code] ?? []).some((setting) => left.has(setting));
}

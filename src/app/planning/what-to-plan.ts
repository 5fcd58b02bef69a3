import { meantTargets } from '../../authoring/config/meant-targets.ts';
import { defaultTargets } from '../../authoring/config/default-targets.ts';
import type { Problem } from '../../core/problem.ts';
import type { TestCase } from '../../core/test-case.ts';
import type { Project } from '../binding/machine.ts';
import type { RunOptions } from '../../core/run-options.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import { given } from '../../lib/given.ts';

interface PlanInput {
  readonly options: RunOptions;
  readonly settings: EffectiveSettings;
}

/** The request to the planner: cases, targets and repetitions. */
export function whatToPlan({ suites, loaded }: Project, { options, settings }: PlanInput) {
  const { limit, sample, shard } = options;
  const named = meantTargets(options.targets, loaded.written);
  const fallbacks = new Map<'code' | 'data', readonly string[]>();
  const problems: Problem[] = [];
  const fallback = (kind: 'code' | 'data') => {
    const known = fallbacks.get(kind);
    if (known !== undefined) return known;
    const found = defaultTargets(loaded, kind);
    problems.push(...found.problems);
    fallbacks.set(kind, found.names);
    return found.names;
  };
  /** Where the suite of a case makes variants of a named target, the name means them. */
  const ofSuite = ({ targets }: Pick<TestCase, 'targets'>) => {
    const made = (targets ?? []).filter((name) => loaded.written.get(name)?.suite !== undefined);
    if (made.length === 0) return undefined;
    const baseOf = (name: string) => loaded.written.get(name)?.variant?.base;
    return [
      ...new Set(
        options.targets.flatMap((name) => {
          const own = made.filter((each) => baseOf(each) === name);
          return own.length > 0 ? own : meantTargets([name], loaded.written);
        }),
      ),
    ];
  };
  return {
    /** Problems of cases without a target, collected while the plan is made. */
    problems: problems as readonly Problem[],
    suites,
    seed: settings.seed,
    selection: {
      targets: named,
      cases: options.cases,
      tags: options.tags ?? settings.tags,
      excludeTags: options.excludeTags ?? settings.excludeTags,
      ...given({ limit, sample, shard }),
    },
    targetsOf: (testCase: Pick<TestCase, 'targets' | 'module'>): readonly string[] => {
      if (named.length > 0) return ofSuite(testCase) ?? named;
      if (testCase.targets !== undefined) return meantTargets(testCase.targets, loaded.written);
      return fallback(testCase.module === undefined ? 'data' : 'code');
    },
    repeatOf: ({ repeat, repeatFactor = 1 }: TestCase) =>
      (options.repeat ?? repeat ?? settings.repeat) * repeatFactor,
  };
}

import { meantTargets } from '../../authoring/config/meant-targets.ts';
import { defaultTargets } from '../../authoring/config/default-targets.ts';
import type { Problem } from '../../core/problem.ts';
import type { TestCase } from '../../core/test-case.ts';
import type { Project } from '../running/machine.ts';
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
      if (named.length > 0) return named;
      if (testCase.targets !== undefined) return meantTargets(testCase.targets, loaded.written);
      return fallback(testCase.module === undefined ? 'data' : 'code');
    },
    repeatOf: ({ repeat, repeatFactor = 1 }: TestCase) =>
      (options.repeat ?? repeat ?? settings.repeat) * repeatFactor,
  };
}

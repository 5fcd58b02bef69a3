import { createHash, type Hash } from 'node:crypto';

import type { Manifest } from '../core/run.ts';
import type { Plan } from '../engine/plan.ts';
import { digestOf } from '../lib/digest.ts';
import type { JsonObject } from '../lib/json.ts';
import type { DigestList } from './digests.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import type { Project } from './load-project.ts';
import type { RunOptions } from './run-options.ts';
import type { TargetUse } from './use-targets.ts';

/** What of the manifest a plan decides. */
export type PlanManifest = Pick<
  Manifest,
  'config' | 'settings' | 'suites' | 'targets' | 'trials' | 'seed' | 'projectRoot'
>;

export interface PlannedProject {
  readonly options: RunOptions;
  readonly project: Project;
  readonly settings: EffectiveSettings;
  readonly plan: Plan;
  readonly digests: DigestList;
  readonly use: TargetUse;
}

export function planManifest({
  options,
  project,
  settings,
  plan,
  digests,
  use,
}: PlannedProject): PlanManifest {
  const { loaded, projectRoot } = project;
  const { concurrency, threshold, repeat, retryInfrastructure, maxErrored, limits, seed } = settings;
  return {
    projectRoot,
    ...(loaded.file === undefined ? {} : { config: { file: loaded.file, digest: loaded.digest } }),
    settings: {
      options: options as unknown as JsonObject,
      limits: limits as unknown as JsonObject,
      concurrency,
      threshold,
      repeat,
      retryInfrastructure,
      maxErrored,
    },
    suites: suitesOf(plan, digests),
    targets: [...use.targets].map(([name, { settings: own }]) => {
      const config = use.written.get(name) ?? {};
      return { name, type: own.type, config, digest: digests.numberOf(digestOf({ type: own.type, config })) };
    }),
    trials: plan.size,
    seed,
  };
}

/** Suites with the digest of what was planned of them: ids, contents, graders, targets, repetitions, in order. */
function suitesOf(plan: Plan, digests: DigestList): Manifest['suites'] {
  const sums = plan.suites.map((): { cases: number; hash: Hash } => ({
    cases: 0,
    hash: createHash('sha256'),
  }));
  for (const { suite, id, digests: own, targets, repeat } of plan.cases) {
    const sum = sums[suite];
    if (sum === undefined) continue;
    sum.cases += 1;
    const graders = own.graders.map((number) => digests.list[number]);
    sum.hash.update(JSON.stringify([id, digests.list[own.case], graders, targets, repeat]));
  }
  return plan.suites.map(({ id, name, file }, position) => {
    const sum = sums[position];
    return { id, name, file, cases: sum?.cases ?? 0, digest: sum?.hash.digest('hex') ?? '' };
  });
}

import type { Fact, RunDigests, RunPlan } from '../../core/run.ts';
import type { Manifest } from '../../core/manifest.ts';
import { given } from '../../lib/given.ts';

/** The first event of a run. */
export function runStart(manifest: Manifest, trialsByTarget?: RunPlan['trialsByTarget']): Fact {
  return {
    type: 'run-start',
    formatVersion: manifest.formatVersion,
    plan: runPlan(manifest, trialsByTarget),
    digests: runDigests(manifest),
  };
}

export function runPlan({ trials, seed }: Manifest, trialsByTarget?: RunPlan['trialsByTarget']): RunPlan {
  return { trials, ...given({ trialsByTarget }), seed };
}

export function runDigests({ config, suites, targets, digests }: Manifest): RunDigests {
  return {
    ...(config === undefined ? {} : { config: config.digest }),
    suites: Object.fromEntries(suites.map(({ id, digest }) => [id, digest])),
    targets: Object.fromEntries(targets.map(({ name, digest }) => [name, digests[digest] ?? ''])),
  };
}

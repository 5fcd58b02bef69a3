import type { Difference } from '../core/run-comparison.ts';
import type { Manifest } from '../core/manifest.ts';
import { isObject } from '../lib/json.ts';

/** A target in the manifest of its run. */
export interface TargetOfRun {
  readonly manifest: Manifest;
  readonly target: string;
}

/** Differences of two targets and their environment: names, configs, versions, program and repository. */
export function targetDifferences(base: TargetOfRun, candidate: TargetOfRun): readonly Difference[] {
  const [left, right] = [factsOf(base), factsOf(candidate)];
  const differences = [...new Set([...left.keys(), ...right.keys()])].flatMap((what) => {
    const [before, after] = [left.get(what) ?? null, right.get(what) ?? null];
    return before === after ? [] : [{ what, base: before, candidate: after }];
  });
  const isConfigShown = differences.some(({ what }) => what.startsWith('config'));
  if (isConfigShown || digestOf(base) === digestOf(candidate)) return differences;
  return [...differences, { what: 'config', base: 'a secret value', candidate: 'a different secret value' }];
}

function factsOf({ manifest, target }: TargetOfRun): ReadonlyMap<string, string> {
  const facts = new Map([['target', target]]);
  const own = manifest.targets.find(({ name }) => name === target);
  if (own !== undefined) collect('config', own.config, facts);
  if (own?.agent !== undefined) {
    facts.set('agent of the store', own.agent.id);
    facts.set('version of the agent', String(own.agent.version));
  }
  for (const [program, version] of Object.entries(own?.versions ?? {}))
    facts.set(`version of ${program}`, version);
  const { git, versions } = manifest;
  if (git !== undefined) facts.set('commit', `${git.commit.slice(0, 12)}${git.dirty ? ' with changes' : ''}`);
  for (const [program, version] of Object.entries(versions)) facts.set(`version of ${program}`, version);
  return facts;
}

function collect(path: string, value: unknown, facts: Map<string, string>): void {
  if (!isObject(value)) {
    facts.set(path, JSON.stringify(value));
    return;
  }
  for (const [key, inner] of Object.entries(value)) collect(`${path}.${key}`, inner, facts);
}

function digestOf({ manifest, target }: TargetOfRun): string | undefined {
  const own = manifest.targets.find(({ name }) => name === target);
  return own && manifest.digests[own.digest];
}

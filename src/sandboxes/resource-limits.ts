import { RESOURCE_LIMITS, type ResourceLimit, type ResourceLimits } from '../core/sandbox.ts';

/** The names of the limits that are set. */
export function givenLimits(limits: ResourceLimits): readonly ResourceLimit[] {
  return RESOURCE_LIMITS.filter((name) => limits[name] !== undefined);
}

/** The limits that podman and docker enforce with control groups. */
export const ENGINE_LIMITS = ['memoryMb', 'cpus', 'processes'] as const;

export type EngineLimit = (typeof ENGINE_LIMITS)[number];

export function isOfEngine(limit: ResourceLimit): limit is EngineLimit {
  return limit !== 'diskMb';
}

export function limitArguments(
  limits: ResourceLimits,
  names: readonly EngineLimit[] = ENGINE_LIMITS,
): readonly string[] {
  return names.flatMap((name) => {
    const limit = limits[name];
    return limit === undefined ? [] : ARGUMENTS[name](limit);
  });
}

const ARGUMENTS: Readonly<Record<EngineLimit, (limit: number) => readonly string[]>> = {
  // Equal sizes: without swap space.
  memoryMb: (size) => ['--memory', `${size}m`, '--memory-swap', `${size}m`],
  cpus: (count) => ['--cpus', String(count)],
  processes: (count) => ['--pids-limit', String(count)],
};

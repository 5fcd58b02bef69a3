import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { problemAt } from '../../authoring/config/locate.ts';
import type { TargetPlugin, TargetSettings } from '../../core/plugin.ts';
import type { Problem } from '../../core/problem.ts';
import type { IsolationLevel } from '../../core/isolation-level.ts';
import type { Mount, NetworkAccess, SandboxSettings } from '../../core/sandbox.ts';
import { wayWithin } from '../../lib/files/way-within.ts';
import { given } from '../../lib/given.ts';
import { networkFault } from '../../sandboxes/docker-network.ts';
import { ENGINE_LIMITS } from '../../sandboxes/resource-limits.ts';

/** A target that may run in a sandbox. */
export interface SandboxedTarget {
  readonly settings: TargetSettings;
  readonly plugin: TargetPlugin;
  readonly loaded: LoadedConfig;
}

/** The sandbox of a target: the flag overrides the target, which overrides `run`. Undefined: it starts no program. */
export function sandboxOfTarget(
  { settings, plugin, loaded }: SandboxedTarget,
  level: IsolationLevel | undefined,
): SandboxSettings | undefined {
  if (plugin.programsLive?.(settings.config) === undefined) return undefined;
  const ofRun = loaded.config.run.sandbox ?? {};
  const own = settings.sandbox ?? {};
  const isOther = own.image !== undefined || own.build !== undefined;
  return {
    ...given(ofRun),
    ...(isOther ? { image: undefined, build: undefined } : {}),
    ...given(own),
    level: level ?? own.level ?? ofRun.level ?? 'process',
    mount: [...(ofRun.mount ?? []), ...(own.mount ?? [])],
  };
}

/** The level of a target's programs. */
export function levelOf({ level = 'process' }: SandboxSettings): IsolationLevel {
  return level;
}

/** Whether the program of a target lives as long as the run, which asks it over the network. */
export function isServer({ plugin, settings }: Pick<SandboxedTarget, 'plugin' | 'settings'>): boolean {
  return plugin.programsLive?.(settings.config) === 'run';
}

/** Mistakes that would let the agent out of its sandbox, or keep it from starting. */
export function sandboxProblems(
  { settings, plugin, loaded }: SandboxedTarget,
  { level, network, mount = [], image, build, engine }: SandboxSettings,
): readonly Problem[] {
  const { config } = settings;
  const at = (code: Problem['code'], message: string, hint: string) =>
    problemOf({ settings, loaded }, { code, message, hint });
  if (level === 'process') {
    return network === undefined || network === 'host'
      ? []
      : [
          at(
            'sandbox-settings',
            `at the level \`process\`, programs have the network of this machine, so \`network: ${spelled(network)}\` cannot be enforced`,
            'set `sandbox.level` to `namespace`, or remove `network`',
          ),
        ];
  }
  const home =
    plugin.isHermetic?.(config) === false
      ? [
          at(
            'sandbox-settings',
            'with `inheritConfig: true` the agent needs your home directory, which a sandbox hides',
            'remove `inheritConfig`, and give the agent its key with `passEnv`',
          ),
        ]
      : [];
  const unreachable =
    level === 'container'
      ? networkFault(engine, { network, isServer: isServer({ plugin, settings }) })
      : undefined;
  return [
    ...home,
    ...(unreachable === undefined ? [] : [at('sandbox-settings', unreachable.why, unreachable.hint)]),
    ...(level === 'container' ? imageFaults({ image, build }, loaded) : []).map(([why, hint]) =>
      at('sandbox-settings', why, hint),
    ),
    ...mount.flatMap((each) => mountFaults(each, loaded).map((why) => at('sandbox-mount', why, MOUNT))),
  ];
}

/** Limits that the level does not enforce. The rows of the trials name them too. */
export function sandboxWarnings(
  target: SandboxedTarget,
  { level = 'process', ...limits }: SandboxSettings,
): readonly Problem[] {
  const names = ENGINE_LIMITS.filter((name) => limits[name] !== undefined);
  if (level === 'container' || names.length === 0) return [];
  return [
    problemOf(target, {
      code: 'sandbox-settings',
      message: `the level \`${level}\` does not enforce ${names.map((name) => `\`${name}\``).join(', ')}`,
      hint: 'set `sandbox.level` to `container`, or remove these limits',
    }),
  ];
}

function problemOf(
  { settings: { name }, loaded }: Pick<SandboxedTarget, 'settings' | 'loaded'>,
  { code, message, hint }: Pick<Problem, 'code' | 'message' | 'hint'>,
): Problem {
  return problemAt(loaded.written.get(name)?.origin ?? loaded.origin, {
    code,
    message: `targets.${name}: ${message}`,
    path: ['targets', name],
    at: 'key',
    ...given({ hint }),
  });
}

function spelled(network: NetworkAccess): string {
  return typeof network === 'string' ? network : `[${network.join(', ')}]`;
}

/** Mistakes in what names the image, with what to do. */
function imageFaults(
  { image, build }: Pick<SandboxSettings, 'image' | 'build'>,
  { directory }: LoadedConfig,
): readonly (readonly [why: string, hint: string])[] {
  if (build === undefined) return [];
  if (image !== undefined) return [['`image` and `build` of the sandbox are both set', 'remove one of them']];
  if (real(resolve(directory, build)) !== undefined) return [];
  return [[`the Dockerfile ${build} does not exist`, 'correct `sandbox.build`']];
}

const MOUNT = 'mount a file or folder that contains neither the project nor its runs';

function mountFaults({ from, at }: Mount, { directory, config }: LoadedConfig): readonly string[] {
  const place = real(resolve(directory, from));
  if (place === undefined) return [`the mount ${from} does not exist`];
  const runs = resolve(directory, config.run.outputDir ?? '.assay/runs');
  const project = real(directory) ?? directory;
  const faults: string[] = [];
  if (wayWithin(place, project) !== undefined) faults.push(`the mount ${from} contains the project`);
  if (wayWithin(place, runs) !== undefined || wayWithin(runs, place) !== undefined)
    faults.push(`the mount ${from} contains stored runs`);
  if (SYSTEM.some((folder) => at !== undefined && wayWithin(folder, at) !== undefined))
    faults.push(`the mount ${from} would hide a folder of the system: ${at}`);
  return faults;
}

/** Folders that every program needs. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/proc', '/dev'];

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

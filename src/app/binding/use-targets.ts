import { literalSecrets } from '../../authoring/config/literal-secrets.ts';
import { processEnvironment, resolveTarget, type TargetFlag } from '../../authoring/config/resolve-target.ts';
import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { Problem } from '../../core/problem.ts';
import type { RunOptions } from '../../core/run-options.ts';
import { weakestOf, type IsolationLevel } from '../../core/isolation-level.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { NamedSecret } from '../../lib/redact/secrets.ts';
import { levelOf, sandboxOfTarget, sandboxProblems, sandboxWarnings } from './sandbox-of-target.ts';
import type { UsedTarget } from './target-pool.ts';

/** The resolved targets that a plan uses. */
export interface TargetUse {
  readonly targets: ReadonlyMap<string, UsedTarget>;
  /** Settings as written, without values of the environment. */
  readonly written: ReadonlyMap<string, JsonObject>;
  readonly secretNames: readonly string[];
  /** Literal secrets in the targets. */
  readonly secretLiterals: readonly NamedSecret[];
  readonly processEnvironment: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** Whether all agents are isolated from the environment of the user. */
  readonly isHermetic: boolean;
  /** The weakest level of their programs. */
  readonly isolation: IsolationLevel;
}

/** What the command line says about targets. */
export interface AskedTargets {
  /** The flag that named them all. */
  readonly flag?: TargetFlag | undefined;
  /** The level of `--sandbox`. */
  readonly sandbox?: IsolationLevel | undefined;
}

/** Resolves the targets of a plan; only these need their variables. */
export function useTargets(
  names: readonly string[],
  loaded: LoadedConfig,
  { flag, sandbox: level }: AskedTargets = {},
): TargetUse {
  const targets = new Map<string, UsedTarget>();
  const written = new Map<string, JsonObject>();
  const secretNames = new Set<string>();
  const secretLiterals: NamedSecret[] = [];
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  for (const name of inConfigOrder(names, loaded)) {
    const resolved = resolveTarget(loaded, name, flag);
    problems.push(...resolved.problems);
    warnings.push(...resolved.warnings);
    written.set(name, resolved.written);
    for (const variable of resolved.environmentNames) secretNames.add(variable);
    const { settings } = resolved;
    secretLiterals.push(...literalSecrets(settings));
    const plugin = settings === undefined ? undefined : loaded.plugins.get(settings.type);
    if (settings === undefined || plugin === undefined) continue;
    const target = { settings, plugin, loaded };
    const sandbox = sandboxOfTarget(target, level);
    if (sandbox !== undefined) {
      problems.push(...sandboxProblems(target, sandbox));
      warnings.push(...sandboxWarnings(target, sandbox));
    }
    targets.set(name, {
      settings,
      plugin,
      environment: processEnvironment(loaded.environment, settings),
      operatorEnvironment: loaded.environment,
      ...given({ addresses: loaded.written.get(name)?.addresses, sandbox }),
    });
  }
  return {
    targets,
    written,
    secretNames: [...secretNames],
    secretLiterals,
    processEnvironment: processEnvironment(loaded.environment),
    problems,
    warnings,
    isHermetic: [...targets.values()].every(({ plugin, settings }) => plugin.isHermetic?.(settings.config)),
    isolation: weakestOf([...targets.values()].flatMap(({ sandbox }) => (sandbox ? [levelOf(sandbox)] : []))),
  };
}

export function askedTargets({ targets, sandbox }: Pick<RunOptions, 'targets' | 'sandbox'>): AskedTargets {
  return { sandbox, flag: targets.length > 0 ? '--target' : undefined };
}

/** In the order of the config. Targets outside the config, such as `replay:RUN`, come last. */
function inConfigOrder(names: readonly string[], { written }: LoadedConfig): readonly string[] {
  const places = new Map([...written.keys()].map((name, place) => [name, place]));
  const placeOf = (name: string) => places.get(name) ?? written.size;
  return [...names].sort((left, right) => placeOf(left) - placeOf(right));
}

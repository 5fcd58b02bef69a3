import { literalSecrets } from '../../authoring/config/literal-secrets.ts';
import { processEnvironment, resolveTarget, type TargetFlag } from '../../authoring/config/resolve-target.ts';
import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { Problem } from '../../core/problem.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { NamedSecret } from '../../lib/redact/secrets.ts';
import type { UsedTarget } from './target-pool.ts';

/** The targets of a plan, resolved; only those that are used. */
export interface TargetUse {
  readonly targets: ReadonlyMap<string, UsedTarget>;
  /** As written, without any value of the environment. */
  readonly written: ReadonlyMap<string, JsonObject>;
  readonly secretNames: readonly string[];
  /** Secrets that stand in the targets themselves. */
  readonly secretLiterals: readonly NamedSecret[];
  readonly processEnvironment: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** Whether nothing of whoever runs it reaches any of their agents. */
  readonly isHermetic: boolean;
}

/** Resolves the targets that a plan uses: only now their variables have to be set. `flag`: where all of them were named. */
export function useTargets(names: readonly string[], loaded: LoadedConfig, flag?: TargetFlag): TargetUse {
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
    targets.set(name, {
      settings,
      plugin,
      environment: processEnvironment(loaded.environment, settings),
      operatorEnvironment: loaded.environment,
      ...given({ addresses: loaded.written.get(name)?.addresses }),
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
  };
}

/** As the config has them; what stands in no config, such as `replay:RUN`, comes last. */
function inConfigOrder(names: readonly string[], { written }: LoadedConfig): readonly string[] {
  const places = new Map([...written.keys()].map((name, place) => [name, place]));
  const placeOf = (name: string) => places.get(name) ?? written.size;
  return [...names].sort((left, right) => placeOf(left) - placeOf(right));
}

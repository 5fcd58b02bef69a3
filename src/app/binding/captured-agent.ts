import type { CapturedAgent, GraderServices, TargetPlugin, TargetSettings } from '../../core/plugin.ts';
import type { Manifest } from '../../core/manifest.ts';
import { targetPlugins } from '../registry.ts';
import { declaredTools } from './tools-of-case.ts';

/** The part of a target that judges get. */
export interface ConfiguredAgent {
  readonly plugin: TargetPlugin | undefined;
  /** Settings of its type. */
  readonly config: TargetSettings['config'];
  readonly tools: TargetSettings['tools'];
}

/** Finds the agent of a subject. */
export function agentFinder(
  targetOf: (name: string) => ConfiguredAgent | undefined,
): NonNullable<GraderServices['agentOf']> {
  return ({ target, case: testCase }): CapturedAgent => {
    const agent = targetOf(target);
    if (agent === undefined) return {};
    const captured = agent.plugin?.capture?.(agent.config);
    const { tools } = agent;
    const isKnown = captured !== undefined || tools !== undefined || testCase.tools !== undefined;
    return {
      ...captured,
      ...(isKnown ? { tools: declaredTools({ settings: { ...(tools && { tools }) } }, testCase) } : {}),
    };
  };
}

/** The agents of a stored run. */
export async function storedAgents({
  targets,
}: Pick<Manifest, 'targets'>): Promise<ReturnType<typeof agentFinder>> {
  const plugins = await targetPlugins(targets.map(({ type }) => type));
  return agentFinder((name) => {
    const kept = targets.find((target) => target.name === name);
    if (kept === undefined) return undefined;
    const { tools } = kept.config as Pick<ConfiguredAgent, 'tools'>;
    return { plugin: plugins.get(kept.type), config: kept.config, tools };
  });
}

import * as z from 'zod';

import type { TargetPlugin } from '../core/plugin.ts';
import { agentKeys, plainAgentConfig } from './coding-agent/agent-config.ts';
import { unavailable } from './target-errors.ts';

const LATER_RELEASE = 'a later release';

const agents: Readonly<Record<string, { readonly name: string; readonly config?: z.ZodType }>> = {
  'cursor-agent': {
    name: 'Cursor Agent',
    config: z.lazy(() => z.strictObject(agentKeys()).omit({ skills: true })),
  },
  acp: {
    name: 'any agent that speaks the Agent Client Protocol',
    config: z.lazy(() =>
      z.strictObject({
        ...agentKeys(),
        model: z.string().min(1).optional(),
        command: z.string().min(1),
        skillsDir: z.string().min(1).optional(),
      }),
    ),
  },
};

/** Targets whose configuration is known and checked, and which this release cannot ask. */
export const notYetTargets: readonly TargetPlugin[] = Object.entries(agents).map(
  ([type, { name, config = plainAgentConfig }]) =>
    notYet({
      type,
      summary: `the coding agent ${name}`,
      config,
      release: LATER_RELEASE,
      needsWorkspace: true,
      maxParallel: 1,
    }),
);

interface Planned extends Pick<
  TargetPlugin,
  'type' | 'summary' | 'config' | 'needsWorkspace' | 'maxParallel'
> {
  readonly release: string;
}

function notYet({ release, ...plugin }: Planned): TargetPlugin {
  const refuse = async (): Promise<never> => {
    throw unavailable(`targets of type ${plugin.type} come with ${release}`, {
      detail: 'not-yet',
      hint: 'until then ask it through a target of type cli or http',
    });
  };
  return { ...plugin, version: 1, notYet: release, create: () => ({ prepare: refuse, open: refuse }) };
}

import * as z from 'zod';

import type { TargetPlugin } from '../core/plugin.ts';
import { unavailable } from './target-errors.ts';

const LATER_RELEASE = 'a later release';

const text = z.lazy(() => z.string().min(1));
const texts = z.lazy(() => z.array(z.string()));

/** Keys of every coding agent. */
const agentKeys = {
  model: text,
  command: text.optional(),
  commandArgs: texts.optional(),
  args: texts.optional(),
  inheritConfig: z.boolean().optional(),
  skills: texts.optional(),
  files: z.record(z.string(), z.string()).optional(),
  permissions: z.enum(['full', 'agent']).optional(),
  images: z.boolean().optional(),
  healthcheck: z.looseObject({}).optional(),
};

const { skills: _unknownPlace, ...keysWithoutSkills } = agentKeys;

const agents: Readonly<Record<string, { readonly name: string; readonly config?: z.ZodType }>> = {
  codex: { name: 'Codex' },
  opencode: { name: 'opencode' },
  'cursor-agent': {
    name: 'Cursor Agent',
    config: z.strictObject(keysWithoutSkills),
  },
  copilot: { name: 'GitHub Copilot' },
  gemini: { name: 'Gemini CLI' },
  qwen: { name: 'Qwen Code' },
  pi: { name: 'pi' },
  acp: {
    name: 'any agent that speaks the Agent Client Protocol',
    config: z.strictObject({
      ...agentKeys,
      model: text.optional(),
      command: text,
      skillsDir: text.optional(),
    }),
  },
};

/** Targets whose configuration is known and checked, and which this release cannot ask. */
export const notYetTargets: readonly TargetPlugin[] = Object.entries(agents).map(
  ([type, { name, config = z.strictObject(agentKeys) }]) =>
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

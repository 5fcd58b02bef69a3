import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { agentRoom, type AgentRoom } from '../../src/app/agent-room.ts';
import { targetPlugins } from '../../src/app/registry.ts';
import { loadConfig } from '../../src/authoring/config/load-config.ts';
import type { StoreAccess } from '../../src/authoring/config/store-rules.ts';
import type { AgentStore } from '../../src/core/agent-store.ts';

/** A server's config, and who may do what. */
export interface ServedConfig extends Partial<StoreAccess> {
  readonly config?: object;
}

/** The agents of a store under a config in this folder. */
export async function agentsUnder(
  agents: AgentStore,
  folder: string,
  { config, environment = {}, auth = 'none', ...access }: ServedConfig = {},
): Promise<AgentRoom> {
  if (config !== undefined) writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(config));
  const { loaded, problems } = await loadConfig({
    startDirectory: folder,
    cwd: folder,
    environment,
    plugins: targetPlugins,
  });
  if (loaded === undefined) throw new Error(JSON.stringify(problems));
  return await agentRoom(agents, loaded, { auth, ...access });
}

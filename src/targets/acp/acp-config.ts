import * as z from 'zod';

import { agentKeys, type AgentConfig } from '../coding-agent/agent-config.ts';

const text = z.lazy(() => z.string().min(1));

/** Config keys of an agent that uses the protocol. */
export const acpConfig = z.lazy(() =>
  z.strictObject({
    ...agentKeys(),
    model: text
      .exactOptional()
      .describe('Model to select over the protocol, for agents with several models.'),
    command: text.describe('Program that speaks the protocol on stdin and stdout.'),
    mode: text.exactOptional().describe('Session mode; the agent must support it.'),
    skillsDir: text
      .exactOptional()
      .describe(
        'Folder in which the agent looks for skills, relative to the workspace; required for `skills`.',
      ),
  }),
);

export interface AcpConfig extends AgentConfig {
  readonly mode?: string;
  readonly skillsDir?: string;
}

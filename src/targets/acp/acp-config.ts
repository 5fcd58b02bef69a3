import * as z from 'zod';

import { agentKeys, type AgentConfig } from '../coding-agent/agent-config.ts';

const text = z.lazy(() => z.string().min(1));

/** Keys of an agent that is talked to over the protocol. */
export const acpConfig = z.lazy(() =>
  z.strictObject({
    ...agentKeys(),
    model: text.exactOptional().describe('Chosen over the protocol, for agents that offer a choice.'),
    command: text.describe('The program that speaks the protocol on stdin and stdout.'),
    mode: text.exactOptional().describe('A mode of the session that the agent offers.'),
    skillsDir: text
      .exactOptional()
      .describe('Where the agent looks for skills, relative to the workspace; `skills` needs it.'),
  }),
);

export interface AcpConfig extends AgentConfig {
  readonly mode?: string;
  readonly skillsDir?: string;
}

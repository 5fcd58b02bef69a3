import { ANY_PROVIDER } from '../coding-agent/provider-hosts.ts';
import type { AgentAdapter } from '../coding-agent/adapter.ts';
import { plainAgentConfig } from '../coding-agent/agent-config.ts';
import { launchPi, promptFault } from './command.ts';
import { piParser } from './parse.ts';

export const pi: AgentAdapter = {
  type: 'pi',
  summary: 'the coding agent pi',
  programs: ['pi'],
  install: 'npm install -g @mariozechner/pi-coding-agent',
  triedVersions: ['0.73.1'],
  // Variables of all providers, because it has none of its own.
  credentials: [],
  hosts: ANY_PROVIDER,
  skillsDirectories: ['.pi/skills', '.agents/skills'],
  inherited: ['PI_CODING_AGENT_DIR'],
  tools: {
    shell: { bash: 'command' },
    read: { read: 'path' },
    write: { write: 'path', edit: 'path' },
  },
  config: plainAgentConfig,
  launch: launchPi,
  parser: piParser,
  promptFault,
  leaves: ({ home, variables, sessionId }) => [
    {
      name: 'session.jsonl',
      folder: `${variables['PI_CODING_AGENT_DIR'] ?? `${home}/.pi/agent`}/sessions`,
      fits: (path) => path.endsWith(`_${sessionId}.jsonl`),
    },
  ],
};

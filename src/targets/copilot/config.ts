import type { AgentAdapter } from '../coding-agent/adapter.ts';
import { plainAgentConfig } from '../coding-agent/agent-config.ts';
import { launchCopilot, USAGE_FILE } from './command.ts';
import { copilotParser } from './parse.ts';

export const copilot: AgentAdapter = {
  type: 'copilot',
  summary: 'the coding agent GitHub Copilot',
  programs: ['copilot'],
  install: 'npm install -g @github/copilot',
  triedVersions: ['1.0.102'],
  credentials: [
    'COPILOT_PROVIDER_API_KEY',
    'COPILOT_PROVIDER_BASE_URL',
    'COPILOT_PROVIDER_TYPE',
    'COPILOT_MODEL',
    'COPILOT_OFFLINE',
    'COPILOT_GITHUB_TOKEN',
    'GH_TOKEN',
    'GITHUB_TOKEN',
  ],
  // From the page "Copilot allowlist reference" of GitHub, without telemetry and editors; its `*` are spelled `api`.
  hosts: [
    'api.github.com:443',
    'api.githubcopilot.com:443',
    'api.individual.githubcopilot.com:443',
    'api.business.githubcopilot.com:443',
    'api.enterprise.githubcopilot.com:443',
  ],
  skillsDirectories: ['.github/skills', '.agents/skills', '.claude/skills'],
  isolation: { COPILOT_HOME: '.copilot' },
  // Filling the cache unpacks the program, 235 MB.
  sharesCache: true,
  masksSecrets: true,
  tools: {
    shell: { bash: 'command' },
    read: { view: 'path' },
    write: { create: 'path', edit: 'path', str_replace_editor: 'path' },
    skill: { skill: 'skill' },
  },
  config: plainAgentConfig,
  reachesTools: 'anywhere',
  launch: launchCopilot,
  parser: copilotParser,
  leaves: ({ home, variables, scratch, sessionId }) => [
    { name: 'usage.json', folder: scratch, fits: (path) => path === USAGE_FILE },
    {
      name: 'session.jsonl',
      folder: `${variables['COPILOT_HOME'] ?? `${home}/.copilot`}/session-state`,
      fits: (path) => path === `${sessionId}/events.jsonl`,
    },
  ],
};

import { plainAgentConfig } from '../coding-agent/agent-config.ts';
import { ANY_PROVIDER } from '../coding-agent/provider-hosts.ts';
import type { AgentAdapter } from '../coding-agent/adapter.ts';
import { launchOpencode } from './command.ts';
import { opencodeParser } from './parse.ts';

export const opencode: AgentAdapter = {
  type: 'opencode',
  summary: 'the coding agent opencode',
  programs: ['opencode'],
  install: 'npm install -g opencode-ai',
  triedVersions: ['1.18.33'],
  // Variables of all providers, because it has none of its own.
  credentials: [],
  hosts: ANY_PROVIDER,
  skillsDirectories: ['.opencode/skills', '.opencode/skill', '.agents/skills', '.claude/skills'],
  inherited: ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR'],
  companion: {
    program: 'rg',
    tools: 'the tools skill, grep and glob',
    install: 'install ripgrep, or add the folder of rg to env.PATH',
  },
  tools: {
    shell: { bash: 'command' },
    read: { read: 'filePath' },
    write: { write: 'filePath', edit: 'filePath', multiedit: 'filePath' },
    skill: { skill: 'name' },
  },
  config: plainAgentConfig,
  reachesTools: 'anywhere',
  launch: launchOpencode,
  parser: opencodeParser,
  exportArgs: (sessionId) => ['export', sessionId],
};

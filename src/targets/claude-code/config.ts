import { plainAgentConfig } from '../coding-agent/agent-config.ts';
import type { AgentAdapter } from '../coding-agent/adapter.ts';
import { launchClaude } from './command.ts';
import { claudeParser } from './parse.ts';

export const claudeCode: AgentAdapter = {
  type: 'claude-code',
  summary: 'the coding agent Claude Code',
  programs: ['claude'],
  install: 'npm install -g @anthropic-ai/claude-code',
  triedVersions: ['2.1.197', '2.1.330'],
  credentials: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
  // The address of `ANTHROPIC_BASE_URL` if none is set; updates, telemetry and plugins use others.
  hosts: ['api.anthropic.com:443'],
  skillsDirectories: ['.claude/skills'],
  inherited: ['CLAUDE_CONFIG_DIR'],
  tools: {
    shell: { Bash: 'command' },
    read: { Read: 'file_path' },
    write: { Write: 'file_path', Edit: 'file_path', MultiEdit: 'file_path', NotebookEdit: 'notebook_path' },
    skill: { Skill: 'skill' },
  },
  config: plainAgentConfig,
  reachesTools: 'anywhere',
  launch: launchClaude,
  parser: claudeParser,
  leaves: ({ home, variables, sessionId }) => [
    {
      name: 'session.jsonl',
      folder: `${variables['CLAUDE_CONFIG_DIR'] ?? `${home}/.claude`}/projects`,
      fits: (path) => path.endsWith(`/${sessionId}.jsonl`),
    },
  ],
};

import { basename } from 'node:path';

import type { AgentAdapter } from '../coding-agent/adapter.ts';
import { plainAgentConfig, type AgentConfig } from '../coding-agent/agent-config.ts';
import { launchCodex } from './command.ts';
import { codexParser } from './parse.ts';

export const codex: AgentAdapter = {
  type: 'codex',
  summary: 'the coding agent Codex',
  programs: ['codex'],
  install: 'npm install -g @openai/codex',
  triedVersions: ['0.169.0'],
  credentials: ['CODEX_API_KEY'],
  // The first is asked with a key, the second with the login of an account.
  hosts: ['api.openai.com:443', 'chatgpt.com:443'],
  skillsDirectories: ['.agents/skills', '.codex/skills'],
  isolation: { CODEX_HOME: '.codex' },
  // Its session index contains absolute paths.
  boundToHome: /^\.codex\/[^/]*\.sqlite(-wal|-shm)?$/,
  tools: {
    shell: { command_execution: 'command' },
    write: { file_change: 'path' },
  },
  config: plainAgentConfig,
  runnerConfig: runnerOf,
  reachesTools: 'anywhere',
  launch: launchCodex,
  parser: codexParser,
  leaves: ({ home, variables, sessionId }) => [
    {
      name: 'session.jsonl',
      folder: `${variables['CODEX_HOME'] ?? `${home}/.codex`}/sessions`,
      fits: (path) => path.endsWith(`-${sessionId}.jsonl`),
    },
  ],
};

/**
 * The `command` of a published runner may be a wrapper that needs a word for the program to start. A command that is
 * the program itself gets no such word.
 */
function runnerOf(config: AgentConfig): AgentConfig {
  const { command, commandArgs = [] } = config;
  if (command === undefined || basename(command) === 'codex') return config;
  return { ...config, commandArgs: [...commandArgs, 'codex'] };
}

import { plainAgentConfig } from '../coding-agent/agent-config.ts';
import type { AgentAdapter } from '../coding-agent/adapter.ts';
import { launchGemini } from './command.ts';
import { geminiParser } from './parse.ts';

const SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
};

export const gemini: AgentAdapter = {
  type: 'gemini',
  summary: 'the coding agent Gemini CLI',
  programs: ['gemini'],
  install: 'npm install -g @google/gemini-cli',
  triedVersions: ['0.61.0'],
  credentials: ['GEMINI_API_KEY'],
  // The address for keys of Gemini; the settings below choose this login.
  hosts: ['generativelanguage.googleapis.com:443'],
  skillsDirectories: ['.gemini/skills', '.agents/skills'],
  inherited: ['GEMINI_CLI_HOME'],
  homeFiles: { '.gemini/settings.json': JSON.stringify(SETTINGS) },
  tools: {
    shell: { run_shell_command: 'command' },
    read: { read_file: 'file_path' },
    write: { write_file: 'file_path', replace: 'file_path' },
    skill: { activate_skill: 'name' },
  },
  config: plainAgentConfig,
  reachesTools: 'private-home',
  launch: launchGemini,
  parser: geminiParser,
};

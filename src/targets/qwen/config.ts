import { plainAgentConfig } from '../coding-agent/agent-config.ts';
import type { AgentAdapter } from '../coding-agent/adapter.ts';
import { launchQwen } from './command.ts';
import { qwenParser } from './parse.ts';

const SETTINGS = {
  general: { enableAutoUpdate: false, disableAutoUpdate: true },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
};

export const qwen: AgentAdapter = {
  type: 'qwen',
  summary: 'the coding agent Qwen Code',
  programs: ['qwen'],
  install: 'npm install -g @qwen-code/qwen-code',
  triedVersions: ['0.15.10', '0.24.4'],
  credentials: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  // The addresses for keys of OpenAI and of Alibaba Cloud (its two regions); others come from `OPENAI_BASE_URL`.
  hosts: ['api.openai.com:443', 'dashscope.aliyuncs.com:443', 'dashscope-intl.aliyuncs.com:443'],
  skillsDirectories: ['.qwen/skills', '.agents/skills'],
  homeFiles: { '.qwen/settings.json': JSON.stringify(SETTINGS) },
  tools: {
    shell: { run_shell_command: 'command' },
    read: { read_file: 'file_path' },
    write: { write_file: 'file_path', edit: 'file_path', notebook_edit: 'notebook_path' },
    skill: { skill: 'skill' },
  },
  config: plainAgentConfig,
  reachesTools: 'anywhere',
  launch: launchQwen,
  parser: qwenParser,
};

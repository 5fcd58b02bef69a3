import type { AgentAdapter } from '../coding-agent/adapter.ts';
import { acpConfig, type AcpConfig } from './acp-config.ts';
import { acpParser } from './parse.ts';
import { ACP_TOOLS } from './tool-call.ts';

/** Any agent that speaks the Agent Client Protocol, version 1. */
export const acp: AgentAdapter<AcpConfig> = {
  type: 'acp',
  summary: 'any coding agent that speaks the Agent Client Protocol',
  programs: [],
  install: 'install it',
  triedVersions: [],
  credentials: [],
  skillsDirectories: [],
  skillsDirectory: ({ skillsDir }) => skillsDir,
  tools: ACP_TOOLS,
  config: acpConfig,
  reachesTools: 'anywhere',
  launch: ({ config }) => ({ args: config.args ?? [] }),
  parser: acpParser,
};
